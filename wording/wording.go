package wording

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/util/duration"
)

// Count returns a number with its noun: 1 node, 2 nodes, 3 policies. The noun is singular.
func Count(n int, noun string) string {
	return Counted(n, noun, plural(noun))
}

// Counted returns a number with one of two phrases: 1 pod moves, 2 pods move.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func plural(noun string) string {
	stem, ends := strings.CutSuffix(noun, "y")
	switch {
	case ends && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])):
		return stem + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// few is the number of names that Some lists before it counts the rest.
const few = 3

// Some joins the first names of a list and counts the rest: a, b, c and 4 more.
func Some(names []string) string { return First(names, few) }

// First joins the first n names of a list and counts the rest.
func First(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

// List joins all names as a sentence does: a, b and c.
func List(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// mostShown bounds printed durations. A longer duration comes from a wrong time.
const mostShown = 100 * 365 * 24 * time.Hour

// Duration returns a duration as kubectl prints it: 40s, 3m10s, 5h14m, 12d. A negative duration is 0s because clocks
// differ.
func Duration(d time.Duration) string {
	if d > mostShown {
		return "more than 100y"
	}
	return duration.HumanDuration(max(d, 0))
}

// Ago returns how long before now t was, if both are known.
func Ago(now, t time.Time) string {
	if now.IsZero() || t.IsZero() {
		return "at an unknown time"
	}
	return Duration(now.Sub(t)) + " ago"
}

// Instant returns a time in UTC: 2026-01-02 15:04:05Z.
func Instant(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// Cut shortens a text to at most n bytes of valid UTF-8 and marks the cut with three dots.
func Cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// Printable returns a space for a character that a terminal would obey, and other characters as they are. It is for strings.Map.
func Printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}
