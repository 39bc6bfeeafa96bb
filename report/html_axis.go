package report

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/answers/timeline"
)

// steps between the ticks of an axis.
var steps = []time.Duration{
	time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour, 28 * 24 * time.Hour, 91 * 24 * time.Hour, 364 * 24 * time.Hour,
}

// ticks returns at most ten round times. The first of each day shows the date.
func ticks(from, to time.Time, x func(time.Time) int) []tickView {
	step := steps[len(steps)-1]
	for _, s := range steps {
		if to.Sub(from) <= 10*s {
			step = s
			break
		}
	}
	var out []tickView
	day := ""
	for at := from.UTC().Truncate(step); !at.After(to) && len(out) < 40; at = at.Add(step) {
		if at.Before(from) || x(at) < timeLeft+14 || x(at) > timeWidth-timeRight-10 {
			continue
		}
		text := at.Format("15:04")
		if step < time.Minute {
			text = at.Format("15:04:05")
		}
		if d := at.Format("Jan 2"); d != day {
			day = d
			if step >= 24*time.Hour {
				text = d
			} else if len(out) == 0 || at.Hour() == 0 && at.Minute() == 0 {
				text = d + ", " + text
			}
		}
		out = append(out, tickView{x(at), text})
	}
	return out
}

// shape is the drawing of an instant of one kind around a point.
type shape struct {
	kind timeline.Kind
	says string
	form string // a path, relative to the point
}

func (s shape) path(x, y int) string { return fmt.Sprintf("M%d %d", x, y) + s.form }

// shapes differ in form, so that they can be distinguished without colour.
var shapes = []shape{
	{timeline.Condition, "condition changed", "m-6 -5h12l-6 11z"},
	{timeline.Heartbeat, "last heartbeat", "m-2 -7h4v14h-4z"},
	{timeline.Taint, "taint that makes pods leave", "m-6 5h12l-6 -11z"},
	{timeline.Cordon, "cordon", "m-5 -5h10v10h-10z"},
	{timeline.Event, "event", "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"},
	{timeline.Log, "log message", "m0 -7l7 7l-7 7l-7 -7z"},
	{timeline.Container, "container ended", "m-6 -4l2 -2l4 4l4 -4l2 2l-4 4l4 4l-2 2l-4 -4l-4 4l-2 -2l4 -4z"},
	{timeline.Cloud, "call of the cloud", "m0 -7l6.5 5l-2.5 8h-8l-2.5 -8z"},
}
