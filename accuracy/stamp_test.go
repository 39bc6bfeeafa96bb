package accuracy

import (
	"testing"
	"time"
)

func TestShift(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`E0412 23:40:20.000001    1187 kubelet.go:1] x`, `E0413 00:10:20.000001    1187 kubelet.go:1] x`},
		{`Sep 08 23:50:00 n1 kubelet[1]: I0908 23:50:00.104231 1 a.go:1] b`, `Sep 09 00:20:00 n1 kubelet[1]: I0909 00:20:00.104231 1 a.go:1] b`},
		{`Sep  8 10:00:00 n1 kernel: x`, `Sep  8 10:30:00 n1 kernel: x`},
		{`time="2021-11-02T23:59:59.5+01:00" level=info msg="a"`, `time="2021-11-03T00:29:59.5+01:00" level=info msg="a"`},
		{`[Thu Apr  4 18:03:56 2024] NVRM`, `[Thu Apr  4 18:33:56 2024] NVRM`},
		{`Sat Nov 21 07:56:53 UTC 2026`, `Sat Nov 21 08:26:53 UTC 2026`},
		{`  RenewTime:       Tue, 31 Dec 2024 23:45:00 +0000`, `  RenewTime:       Wed, 01 Jan 2025 00:15:00 +0000`},
		{`{"ts":1690001513203.121,"msg":"a"}`, `{"ts":1690003313203.121,"msg":"a"}`},
		{`[  553.104422] EXT4-fs`, `[  2353.104422] EXT4-fs`},
		{`notAfter=Dec 31 23:45:00 2026 GMT`, `notAfter=Jan  1 00:15:00 2027 GMT`},
		{`version 1.2.3 of 2024-05-06, port 6443`, `version 1.2.3 of 2024-05-06, port 6443`},
	} {
		if got := shift(c.line, 30*time.Minute); got != c.want {
			t.Errorf("shift(%q)\n got %q\nwant %q", c.line, got, c.want)
		}
	}
}

func TestAges(t *testing.T) {
	for _, c := range []struct{ age, want string }{
		{"8s", "30m"}, {"2m33s", "32m"}, {"39m", "69m"}, {"4h", "4h30m"}, {"9h", "9h"}, {"21d", "21d"},
	} {
		if got := formatAge(parseAge(c.age) + 30*time.Minute); got != c.want {
			t.Errorf("%s and half an hour: got %s, want %s", c.age, got, c.want)
		}
	}
	row, ok := parseEventRow(`  Warning  FailedMount  3m (x21 over 40m)  kubelet, n1  MountVolume.SetUp failed`)
	if want := `  Warning  FailedMount  33m (x21 over 70m)  kubelet, n1  MountVolume.SetUp failed`; !ok || row.aged(30*time.Minute) != want {
		t.Errorf("got %q, want %q", row.aged(30*time.Minute), want)
	}
}
