package evidence

import "time"

// Stamp returns a time in the form of answers in JSON: in UTC, and null if it is unknown.
func Stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
