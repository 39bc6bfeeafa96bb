package logline_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

func TestApart(t *testing.T) {
	for _, tc := range []struct {
		from, to string
		want     time.Duration
		known    bool
	}{
		{"I0915 19:01:54.924434 5 a.go:1] a", `crio[1]: time="2024-09-15 19:31:54.971633376+02:00" level=error msg="b"`, 30 * time.Minute, true},
		{`time="2024-09-15T19:31:54+02:00" level=error msg="b"`, `time="2024-09-15T17:32:54Z" level=error msg="b"`, time.Minute, true},
		{"Dec 31 23:59:00 n1 kubelet[1]: a", "2025-01-01 00:01:00 b", 2 * time.Minute, true},
		{"Jan  1 00:01:00 n1 kubelet[1]: a", "2024-12-31 23:59:00 b", -2 * time.Minute, true},
		{"[   12.000000] a", "Jan  1 00:01:00 n1 kubelet[1]: b", 0, false},
	} {
		got, known := logline.Apart(tc.from, tc.to)
		if got.Round(time.Second) != tc.want || known != tc.known {
			t.Errorf("Apart(%q, %q) = %v, %v; want %v, %v", tc.from, tc.to, got, known, tc.want, tc.known)
		}
	}
}
