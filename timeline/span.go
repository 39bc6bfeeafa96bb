package timeline

import (
	"sort"
	"time"
)

// spans are the lengths that a timeline may have. One long story is not squeezed by a single old mark.
var spans = []time.Duration{
	15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
	3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// span sets From and To: To is the last time known; From is so that four of five bad marks are on it.
func (t *Timeline) span(taken time.Time) {
	t.To = taken
	var starts, bad []time.Time
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			starts = append(starts, m.From)
			if m.Bad {
				bad = append(bad, m.From)
			}
			for _, at := range []time.Time{m.From, m.To} {
				if at.After(t.To) {
					t.To = at
				}
			}
		}
	}
	if len(bad) > 0 {
		starts = bad
	}
	if len(starts) == 0 {
		t.From = t.To
		return
	}
	sort.Slice(starts, func(i, j int) bool { return starts[i].Before(starts[j]) })
	t.From = starts[0]
	for _, d := range spans {
		from := t.To.Add(-d)
		inside := len(starts) - sort.Search(len(starts), func(i int) bool { return !starts[i].Before(from) })
		if 5*inside >= 4*len(starts) {
			for _, at := range starts {
				if !at.Before(from) {
					t.From = at
					break
				}
			}
			break
		}
	}
	margin := t.To.Sub(t.From) / 12
	t.From = t.From.Add(-max(margin, time.Second))
}

// clip cuts what began earlier, orders the marks of each lane and bounds their number.
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
		// The bad ones first, so that the bound drops the others.
		sort.SliceStable(marks, func(i, j int) bool { return marks[i].Bad && !marks[j].Bad })
		l.Left = max(len(marks)-maxMarks, 0)
		marks = marks[:min(len(marks), maxMarks)]
		sort.SliceStable(marks, func(i, j int) bool { return marks[i].From.Before(marks[j].From) })
		l.Marks = marks
		lanes = append(lanes, l)
	}
	t.Lanes = lanes
}
