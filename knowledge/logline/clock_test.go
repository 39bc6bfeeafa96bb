package logline

import (
	"regexp"
	"testing"
)

// The expressions that stampIn and klogIn replace.
var (
	stampExpression = regexp.MustCompile(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?`)
	klogExpression  = regexp.MustCompile(`(?:^|[\s:"])[IWEF](\d{4} \d\d:\d\d:\d\d\.\d{1,9})\s`)
)

// Time stamps are read like by the expressions.
func FuzzClock(f *testing.F) {
	for _, line := range []string{
		"2026-01-02T03:04:05Z x", "2026/01/02 03:04:05,123 x", "2026-01-02 03:04:05.1234567890+0100", "2026-01-02T03:04:05-07:00", "2026-01-02T03:04:05+7:00", "2026-01-02T03:04:05.", "12026-01-02T03:04:05.Z",
		"E0102 03:04:05.678901 1 a.go:1] x", `"E0102 03:04:05.678901\t`, "x:F0102 03:04:05.6 y", "xE0102 03:04:05.6 y", "E0102 03:04:05.6", "E0102 03:04:05.1234567890 y", "E0102 03:04:05,1 y", "A0102 03:04:05.1 y", "E0102  03:04:05.1 y",
		"03:04:05:06:07:08", "00:00:00 2026-01-02T03:04:05Z", "0102 03:04:05.6 E0102 03:04:05.6 2026-01-02T03:04:05Z", "::::", ":", "1:1:1", "2026-01-02T03:04:05", "",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		from, to, ok := stampIn(line)
		if want := stampExpression.FindStringIndex(line); ok != (want != nil) || ok && (from != want[0] || to != want[1]) {
			t.Fatalf("%q: %d to %d, %v, the expression says %v", line, from, to, ok, want)
		}
		at, stamp, ok := klogIn(line)
		want := klogExpression.FindStringSubmatchIndex(line)
		if ok != (want != nil) || ok && (at != want[0] || stamp != line[want[2]:want[3]]) {
			t.Fatalf("%q: %d %q, %v, the expression says %v", line, at, stamp, ok, want)
		}
	})
}
