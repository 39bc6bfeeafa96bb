package timeline

import (
	"slices"
	"sort"
	"time"
)

// spans are the possible lengths of a timeline, so that a single old mark does not compress a long sequence.
var spans = []time.Duration{
	15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// span sets From and To. To is the last known time. From is chosen so that four of five bad marks are visible, at least with
// their end.
func (t *Timeline) span(taken time.Time) {
	t.To = taken
	var all, bad []Mark
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			all = append(all, m)
			if m.Bad {
				bad = append(bad, m)
			}
			if m.To.After(t.To) {
				t.To = m.To
			}
		}
	}
	if len(bad) > 0 {
		all = bad
	}
	t.From = t.To
	if len(all) == 0 {
		return
	}
	for _, d := range append(slices.Clone(spans), t.To.Sub(earliest(all))) {
		from := t.To.Add(-d)
		inside := 0
		for _, m := range all {
			if m.Open || !m.To.Before(from) {
				inside++
			}
			if m.From.Before(t.From) && !m.From.Before(from) {
				t.From = m.From
			}
		}
		if 5*inside >= 4*len(all) {
			break
		}
	}
	margin := t.To.Sub(t.From) / 12
	t.From = t.From.Add(-max(margin, time.Second))
}

func earliest(list []Mark) time.Time {
	first := list[0].From
	for _, m := range list {
		if m.From.Before(first) {
			first = m.From
		}
	}
	return first
}

// clip cuts earlier marks, sorts the marks of each lane and limits their number.
func (t *Timeline) clip() {
	var lanes []*Lane
	for _, l := range t.Lanes {
		var marks []Mark
		for _, m := range l.Marks {
			if m.Open {
				m.To = t.To
			}
			switch {
			case m.To.Before(t.From):
				t.Earlier++
				continue
			case m.From.Before(t.From):
				m.From, m.Before = t.From, true
			}
			marks = append(marks, m)
		}
		if len(marks) == 0 {
			continue
		}
		// The bad ones first, so that the limit drops the others.
		sort.SliceStable(marks, func(i, j int) bool { return marks[i].Bad && !marks[j].Bad })
		l.Left = max(len(marks)-maxMarks, 0)
		marks = marks[:min(len(marks), maxMarks)]
		sort.SliceStable(marks, func(i, j int) bool { return marks[i].From.Before(marks[j].From) })
		l.Marks = marks
		lanes = append(lanes, l)
	}
	t.Lanes = lanes
}
