package wording_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/wording"
)

func TestWords(t *testing.T) {
	now := time.Date(2026, 1, 2, 15, 4, 5, 0, time.FixedZone("", 3600))
	for got, want := range map[string]string{
		wording.Count(1, "node"):                       "1 node",
		wording.Count(0, "node"):                       "0 nodes",
		wording.Count(2, "policy"):                     "2 policies",
		wording.Count(2, "day"):                        "2 days",
		wording.Count(2, "process"):                    "2 processes",
		wording.Count(2, "batch"):                      "2 batches",
		wording.Some([]string{"a", "b", "c"}):          "a, b, c",
		wording.Some([]string{"a", "b", "c", "d"}):     "a, b, c and 1 more",
		wording.First([]string{"a", "b"}, 1):           "a and 1 more",
		wording.List(nil):                              "",
		wording.List([]string{"a"}):                    "a",
		wording.List([]string{"a", "b", "c"}):          "a, b and c",
		wording.Duration(-time.Second):                 "0s",
		wording.Duration(190 * time.Second):            "3m10s",
		wording.Duration(5*time.Hour + 14*time.Minute): "5h14m",
		wording.Ago(now, now.Add(-time.Minute)):        "60s ago",
		wording.Ago(time.Time{}, now):                  "at an unknown time",
		wording.Instant(now):                           "2026-01-02 14:04:05Z",
		wording.Cut("abc", 3):                          "abc",
		wording.Cut("abcd", 3):                         "abc...",
		wording.Cut("aä", 2):                           "a...", // not half a letter
		wording.Cut("\xff", 9):                         "\uFFFD",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add("zwölf", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 0 || n > 1<<10 {
			return
		}
		got := wording.Cut(s, n)
		if !utf8.ValidString(got) || len(strings.TrimSuffix(got, "...")) > max(n, len(strings.ToValidUTF8(s, "\uFFFD"))) {
			t.Errorf("Cut(%q, %d) = %q", s, n, got)
		}
		if len(got) > n+3 {
			t.Errorf("Cut(%q, %d) has %d bytes", s, n, len(got))
		}
	})
}
