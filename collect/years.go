package collect

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// noYear is the reference time of text searches: dates without a year get this year until the time of the evidence is known. No
// log has it, and it is a leap year.
var noYear = time.Date(1904, time.December, 31, 23, 59, 59, 0, time.UTC)

// giveYears completes dates without a year: the latest year that puts them at most a day after the time of the evidence. If that
// time is unknown, such dates are unknown too.
func giveYears(d *evidence.Data) {
	for _, m := range d.Matches {
		m.Ref.ObservedAt = withYear(m.Ref.ObservedAt, d.TakenAt)
		m.First, m.Last = withYear(m.First, d.TakenAt), withYear(m.Last, d.TakenAt)
		if m.Last.Before(m.First) { // across the turn of the year
			m.First, m.Last = m.Last, m.First
		}
		m.Until = withYear(m.Until, d.TakenAt)
	}
	for _, l := range d.Lines {
		l.Time = withYear(l.Time, d.TakenAt)
		l.Ref.ObservedAt = l.Time
	}
}

func withYear(t, takenAt time.Time) time.Time {
	switch {
	case t.Year() != noYear.Year():
		return t
	case takenAt.IsZero():
		return time.Time{}
	}
	t = t.AddDate(takenAt.Year()-noYear.Year(), 0, 0)
	if t.After(takenAt.AddDate(0, 0, 1)) {
		t = t.AddDate(-1, 0, 0)
	}
	return t
}
