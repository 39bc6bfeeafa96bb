package bounds

import "time"

// Longest is the longest duration that a number of a document becomes: nobody waits for it, and it can still be added to others. A
// time.Duration holds 292 years and wraps around beyond.
const Longest = 10 * 365 * 24 * time.Hour

// Times returns n units, between -Longest and Longest.
func Times(n int64, unit time.Duration) time.Duration {
	switch most := int64(Longest / unit); {
	case n >= most:
		return Longest
	case n <= -most:
		return -Longest
	}
	return time.Duration(n) * unit
}

// Until returns the time from one instant to another, between -Longest and Longest.
func Until(from, to time.Time) time.Duration {
	return min(max(to.Sub(from), -Longest), Longest)
}
