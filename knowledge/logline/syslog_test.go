package logline

import "testing"

// The head is read like by an expression.
func FuzzSyslog(f *testing.F) {
	for _, line := range []string{
		"Jun  2 10:00:00 host kubelet[1]: x", "Jun 02 10:00:00.123 host kernel: x", "Jun 12 10:00:00 host a b: x", "Jun 123 10:00:00 host a: x", "Jun   2 10:00:00 h a: x",
		"Jun 2 10:00:00 h a[]: x", "Jun 2 10:00:00 h a[1] x", "Jun 2 10:00:00. h a: x", "Jun 2 10:00:00 h", "Jun 2 10:00:00  a: x", "Jun 2 10:00:00 h: a[2]:", "Jun ", "Jun 2 1", "Jun 2 10:00:00 h\ta: x", "Jun 2 10:00:00 h a\v: x",
		"Jun 2 10:00:00 é ü[7]: x", "jun 2 10:00:00 h a: x", "",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		stamp, host, program, ok := readSyslog(line)
		m := syslog.FindStringSubmatch(line)
		switch {
		case ok != (m != nil):
			t.Fatalf("%q: %v, the expression says %q", line, ok, m)
		case ok && (stamp != m[1] || host != m[2] || program != m[3]):
			t.Fatalf("%q: %q %q %q, the expression says %q", line, stamp, host, program, m)
		}
	})
}
