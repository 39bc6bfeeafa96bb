package paste

import (
	"strconv"
	"strings"
	"time"
)

const (
	day    = 24 * time.Hour
	maxAge = 100 * 365 * day
)

// parseAge parses a duration in the format of kubectl: 45s, 3m42s, 5h, 3d4h, 2y15d (k8s.io/apimachinery pkg/util/duration).
// <unknown> and <invalid> are unknown.
func parseAge(s string) (time.Duration, bool) {
	s = strings.TrimSuffix(strings.TrimSpace(s), " ago")
	if s == "" {
		return 0, false
	}
	var total time.Duration
	for s != "" {
		i := 0
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i == 0 || i > 6 || i == len(s) {
			return 0, false
		}
		n, _ := strconv.Atoi(s[:i])
		unit, ok := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': day, 'w': 7 * day, 'y': 365 * day}[s[i]]
		if !ok || time.Duration(n) > maxAge/unit {
			return 0, false
		}
		if total += time.Duration(n) * unit; total > maxAge {
			return 0, false
		}
		s = s[i+1:]
	}
	return total, true
}

// isAge reports whether a cell is a valid value of the AGE column.
func isAge(s string) bool {
	if s == "<unknown>" || s == "<invalid>" {
		return true
	}
	_, ok := parseAge(s)
	return ok
}

// parseInterval parses the age column of described events: "33m", "5m (x20 over 2h)".
func parseInterval(s string) (last, first string, count int, ok bool) {
	last, rest, several := strings.Cut(s, " (x")
	last = strings.TrimSpace(last)
	if !isAge(last) {
		return "", "", 0, false
	}
	if !several {
		return last, last, 1, true
	}
	n, over, found := strings.Cut(strings.TrimSuffix(strings.TrimSpace(rest), ")"), " over ")
	count, err := strconv.Atoi(n)
	if !found || err != nil || !isAge(over) {
		return "", "", 0, false
	}
	return last, over, count, true
}

// tableInterval is parseInterval for a table column. "kubectl get events" prints counts only on request, and "kubectl events" only
// counts above one. So an age alone gives the unknown count 0.
func tableInterval(s string) (last, first string, count int, ok bool) {
	if last, first, count, ok = parseInterval(s); count == 1 {
		count = 0
	}
	return last, first, count, ok
}

// parseRFC1123Z parses the times of kubectl describe. The year 1 of an unset time is unknown.
func parseRFC1123Z(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC1123Z, s)
	if err != nil {
		return time.Time{}, false
	}
	if t.Year() <= 1970 {
		return time.Time{}, true
	}
	return t.UTC(), true
}
