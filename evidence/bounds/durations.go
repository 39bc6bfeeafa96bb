package bounds

import "time"

// Longest is the longest duration from a document. It can be added to others without overflow, which occurs at 292
// years.
const Longest = 10 * 365 * 24 * time.Hour

// Times returns n units, clamped to -Longest and Longest.
func Times(n int64, unit time.Duration) time.Duration {
	switch most := int64(Longest / unit); {
	case n >= most:
		return Longest
	case n <= -most:
		return -Longest
	}
	return time.Duration(n) * unit
}

// Until returns the time between two instants, clamped to -Longest and Longest.
func Until(from, to time.Time) time.Duration {
	return min(max(to.Sub(from), -Longest), Longest)
}
