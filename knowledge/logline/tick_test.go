package logline_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

func TestBetween(t *testing.T) {
	for _, tc := range []struct {
		from, to string
		want     time.Duration
		known    bool
	}{
		{"Dec 31 23:59:00 n1 kubelet[1]: a", "Jan  1 00:01:00 n1 kubelet[1]: b", 2 * time.Minute, true},
		{"E0306 21:57:59.274910 1 kubelet.go:1] a", "I0306 22:00:09.274910 1 kubelet.go:1] b", 130 * time.Second, true},
		{"E0217 14:13:02.919124 1 a.go:1] No retries permitted until 2025-02-17 14:13:06", "I0217 14:14:02.919124 1 b.go:1] b", time.Minute, true},
		{"Jun 9 17:48:07 n1 kubelet[1]: a", "Jun  9 17:49:07 n1 kubelet[1]: b", time.Minute, true},
		{"[   12.000000] a", "[  612.000000] b", 10 * time.Minute, true},
		{"[Tue Nov 20 22:30:22 2018] a", "[Tue Nov 20 22:31:22 2018] b", time.Minute, true},
		{`{"ts":1700000000123.4,"msg":"a"}`, `{"ts":1700000060123.4,"msg":"b"}`, time.Minute, true},
		{"2024-01-01T00:00:00Z n1 kubelet[1]: a", "Jan  1 00:01:00 n1 kubelet[1]: b", 0, false},
		{"no time", "Jan  1 00:01:00 n1 kubelet[1]: b", 0, false},
	} {
		if got, known := logline.Between(tc.from, tc.to); got != tc.want || known != tc.known {
			t.Errorf("Between(%q, %q) = %v, %v; want %v, %v", tc.from, tc.to, got, known, tc.want, tc.known)
		}
		if tc.known && (!logline.Stamped(tc.from) || !logline.Stamped(tc.to)) {
			t.Errorf("Stamped does not see the times of %q and %q", tc.from, tc.to)
		}
	}
	for _, line := range []string{"caused by: dial tcp 10.0.0.1:6443: refused", "[signal SIGSEGV: segmentation violation code=0x1]"} {
		if logline.Stamped(line) {
			t.Errorf("Stamped(%q) = true", line)
		}
	}
}

func TestProgram(t *testing.T) {
	for line, want := range map[string]string{
		"Jan  1 00:01:00 n1 kubelet[12]: text":                    "kubelet",
		"Jun 9 17:48:07 n1 kubelet[6515]: text":                   "kubelet",
		"Jan 11 03:04:05.123456 n12 kernel: [88123.11] text":      "kernel",
		"2026-11-21T02:03:04+0000 worker-1 containerd[812]: text": "containerd",
		"2026-11-21T02:03:04.123Z stderr F panic: nil map":        "",
		"I0306 22:00:09.274910 1 kubelet.go:1] text":              "",
		"Jan  1 00:01:00 n1 some words: text":                     "",
		"Jan  1 00:01:00":                                         "",
		"":                                                        "",
	} {
		if got := logline.Program(line); got != want {
			t.Errorf("Program(%q) = %q, want %q", line, got, want)
		}
	}
}
