package report

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/wording"
)

// timelineView is the drawn timeline: one lane per node, bars for durations, shapes for instants.
type timelineView struct {
	Width, Height, Bottom int
	Label                 string
	Ticks                 []tickView
	Lanes                 []laneView
	End                   int // when the evidence was taken; 0: not drawn
	Key                   []shapeView
	Left                  string
	Rows                  []rowView
	RowsLeft              string
}

type tickView struct {
	X    int
	Text string
}

type laneView struct {
	Y, H, TextY int
	Name, Tip   string
	Spans       []spanView
	Marks       []markView
}

type spanView struct {
	X, Y, W, H int
	Class, Tip string
	Text       *lineView
}

type markView struct{ Path, Class, Tip string }

type shapeView struct{ Path, Text string }

type rowView struct{ When, Lane, What, Class string }

// Sizes in pixels.
const (
	timeWidth = 1060
	timeLeft  = 216 // names
	timeRight = 16
	timeTop   = 26
	timeRow   = 18
	timeRows  = 5 // rows of one lane; the last row holds the rest too
	timeList  = 60
)

// newTimelineView draws the timeline; nil if the evidence has no times.
func newTimelineView(t *timeline.Timeline) *timelineView {
	if len(t.Lanes) == 0 || !t.To.After(t.From) {
		return nil
	}
	v := &timelineView{Width: timeWidth, Label: fmt.Sprintf("timeline from %s to %s", wording.Instant(t.From), wording.Instant(t.To))}
	x := func(at time.Time) int {
		return timeLeft + int(float64(timeWidth-timeLeft-timeRight)*float64(at.Sub(t.From))/float64(t.To.Sub(t.From)))
	}
	y := timeTop
	used := map[timeline.Kind]bool{}
	for _, l := range t.Lanes {
		lane := laneView{Y: y, TextY: y + timeRow/2 + 6, Name: shortenMiddle(l.Name, 32), Tip: l.Name}
		var ends []int
		for _, m := range l.Marks {
			row := freeRow(&ends, x(m.From), x(m.To))
			lane.draw(m, x(m.From), x(m.To), y+2+row*timeRow)
			if x(m.To)-x(m.From) < 8 {
				used[m.Kind] = true
			}
		}
		lane.H = max(len(ends), 1)*timeRow + 4
		y += lane.H + 4
		v.Lanes = append(v.Lanes, lane)
	}
	v.Bottom, v.Height, v.End = y, y+4, x(t.To)
	v.Ticks = ticks(t.From, t.To, x)
	for _, k := range shapes {
		if used[k.kind] {
			v.Key = append(v.Key, shapeView{k.path(0, 0), k.says})
		}
	}
	v.rows(t)
	var left []string
	if t.Left > 0 {
		left = append(left, wording.Count(t.Left, "more place")+" where nothing bad happened, or for which there is no space")
	}
	if t.Earlier > 0 {
		left = append(left, wording.Count(t.Earlier, "thing")+" before "+wording.Instant(t.From))
	}
	if len(left) > 0 {
		v.Left = "Not drawn: " + strings.Join(left, "; ") + "."
	}
	return v
}

// freeRow finds the first row of the lane that is free at that position.
func freeRow(ends *[]int, from, to int) int {
	end := max(to, from+12)
	for i := range *ends {
		if (*ends)[i] < from || i == timeRows-1 {
			(*ends)[i] = max(end, (*ends)[i])
			return i
		}
	}
	*ends = append(*ends, end)
	return len(*ends) - 1
}

func (l *laneView) draw(m timeline.Mark, from, to, y int) {
	class := ""
	if m.Bad {
		class = "bad"
	}
	tip := markSays(m)
	if to-from < 8 {
		for _, k := range shapes {
			if k.kind == m.Kind {
				l.Marks = append(l.Marks, markView{k.path(from, y+timeRow/2), class, tip})
			}
		}
		return
	}
	s := spanView{X: from, Y: y + 1, W: to - from, H: timeRow - 2, Class: class, Tip: tip}
	if room := (to - from - 10) / 6; room > 8 {
		s.Text = &lineView{X: from + 5, Y: y + timeRow/2 + 4, Text: shorten(saying(m), room)}
	}
	l.Spans = append(l.Spans, s)
}

// markSays describes a mark: when, what, how often.
func markSays(m timeline.Mark) string {
	when := m.From.UTC().Format("15:04:05Z")
	if m.Before {
		when = "before " + when
	}
	switch {
	case m.Open:
		when = "since " + when
	case m.Length() >= time.Second:
		when += " to " + m.To.UTC().Format("15:04:05Z")
	}
	return when + ": " + markText(m)
}

// saying returns the text of a mark without its time, which its position shows.
func saying(m timeline.Mark) string {
	if m.Kind == timeline.Log {
		return logline.Body(m.Text)
	}
	return m.Text
}

func markText(m timeline.Mark) string {
	out := shorten(saying(m), 300)
	if m.Says != "" {
		out += " [" + m.Says + "]"
	}
	if m.Count > 1 {
		out += fmt.Sprintf(" (%d times)", m.Count)
	}
	if m.Where != "" {
		out += ", " + m.Where
	}
	return out
}

// rows lists the marks in order of time.
func (v *timelineView) rows(t *timeline.Timeline) {
	type entry struct {
		lane string
		timeline.Mark
	}
	var all []entry
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			all = append(all, entry{l.Name, m})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].From.Before(all[j].From) })
	for _, e := range all[:min(len(all), timeList)] {
		row := rowView{When: wording.Instant(e.From), Lane: shortenMiddle(e.lane, 32), What: markText(e.Mark)}
		if e.Before {
			row.When = "before " + row.When
		}
		if e.Bad {
			row.Class = "bad"
		}
		v.Rows = append(v.Rows, row)
	}
	if left := len(all) - len(v.Rows); left > 0 {
		v.RowsLeft = "and " + wording.Counted(left, "more", "more")
	}
}
