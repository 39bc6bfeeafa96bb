package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Short prints a duration as people say it: 40s, 3m10s, 2h5m, 3d4h.
func Short(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// Ago tells how long before now a time was.
func Ago(now, t time.Time) string {
	if now.IsZero() || t.IsZero() {
		return "at an unknown time"
	}
	return Short(now.Sub(t)) + " ago"
}

// Some joins the first names of a list and counts the rest.
func Some(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Count is "1 node" or "3 nodes".
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// SortedKeys are the keys of a map, in order.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// ParseTime reads a time of the cloud; zero if there is none.
func ParseTime(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s)
	return t.UTC()
}

// OrUnknown is a text, or "unknown" for none.
func OrUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// Percent is a part of a whole, rounded down.
func Percent(part, whole uint64) int {
	if whole == 0 {
		return 0
	}
	return int(float64(part) / float64(whole) * 100)
}
