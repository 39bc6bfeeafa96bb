package report

import (
	"io"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// forecastView is the HTML form of a forecast.
type forecastView struct {
	frame
	Name      string
	Facts     []string
	Never     []string
	Act       []plan.Way
	Lanes     *lanesView
	Moments   []momentView
	Workloads []workloadView
	Options   []optionView
	Pods      []podFateView
	PodsLeft  string
	Assumed   []string
}

type momentView struct {
	When, Who, What, Why string
	Next                 bool // the first future moment
}

type workloadView struct{ Name, Says, Class string }

type optionView struct {
	Title, Risk, Again, Stateful, Gone string
	Commands, Danger                   []string
}

type podFateView struct {
	Name, Owner, Fate, Class, Deleted, Gone, Replacement string
	Because                                              []string
}

// Limits of the HTML form of a forecast.
const (
	htmlLanes = 60
	htmlPods  = 500
)

// ForecastHTML writes a forecast as one self-contained page, with a lane for each pod.
func ForecastHTML(w io.Writer, f *predict.Forecast, version string) error {
	f = cleaned(f)
	v := forecastView{
		frame: frame{
			Title: "nodetriage: " + f.Scenario + " of " + wording.First(f.Nodes, 3), Verdict: "FORECAST", VerdictClass: "warn",
			Source: f.Source, Version: version,
		},
		Name: wording.First(f.Nodes, 10), Facts: []string{f.Scenario, fatesSay(f)}, Never: f.Never, Act: f.Act, Assumed: f.Assumptions,
	}
	if f.EventAt != nil {
		v.Title, v.Verdict, v.VerdictClass = "nodetriage: "+wording.First(f.Nodes, 3)+" down", "DOWN", "bad"
		v.Facts[0] = "since " + wording.Instant(*f.EventAt)
		if f.Now != nil {
			v.Facts[0] += " (" + wording.Duration(time.Duration(*f.Now)) + ")"
			v.AsOf = wording.Instant(f.EventAt.Add(time.Duration(*f.Now)))
		}
	} else {
		v.Facts = append(v.Facts, "times count from the event")
	}
	for _, d := range f.Depends {
		v.Facts = append(v.Facts, "depends "+d)
	}
	v.Lanes = newForecastLanes(f)
	v.tables(f)
	return writePage(w, v.frame, drawForecast(&v))
}

func (v *forecastView) tables(f *predict.Forecast) {
	waiting := f.Now != nil
	for _, c := range chapters(f.Timeline, f.Now) {
		m := momentView{When: whenSays(f, &c.Interval), Who: names(c.subjects, 5), What: c.What, Why: c.Why}
		if c.Possible {
			m.What = "possibly: " + m.What
		}
		if waiting && !happened(c.Moment, f.Now) {
			m.Next, waiting = true, false
		}
		v.Moments = append(v.Moments, m)
	}
	for _, w := range f.Workloads {
		class := ""
		if w.Outage || w.RestoredAt == nil && w.Elsewhere < w.Wanted {
			class = "bad"
		}
		v.Workloads = append(v.Workloads, workloadView{w.Kind + " " + w.Namespace + "/" + w.Name, workloadSays(f, w), class})
	}
	for _, o := range f.Options {
		again, stateful, gone := optionSays(f, o)
		v.Options = append(v.Options, optionView{o.Title, o.Risk, again, stateful, gone, shell.Strings(o.Commands), o.Danger})
	}
	order := byFate(f.Pods)
	for _, p := range order[:min(len(order), htmlPods)] {
		v.Pods = append(v.Pods, podFateView{
			p.Namespace + "/" + p.Name, p.Owner, fateWord(p), fateClass(p.Fate), whenSays(f, p.DeletedAt), whenSays(f, p.GoneAt),
			replacementSays(f, p.Replacement), p.Because,
		})
	}
	if left := len(order) - len(v.Pods); left > 0 {
		v.PodsLeft = "and " + wording.Count(left, "more pod") + " (-o json has all)"
	}
}

func fateClass(f predict.Fate) string {
	switch f {
	case predict.Lost, predict.StuckTerminating:
		return "bad"
	case predict.Evicted, predict.NeverMoves:
		return "warn"
	}
	return "good"
}

// lanesView is a drawing with a lane for each pod or node and a bar for each state. Uncertain states are hatched.
type lanesView struct {
	Width, Height, Bottom int
	Label                 string
	Ticks                 []tickView
	Lanes                 []laneView
	Now                   int // 0: not drawn
	Left                  string
}

func newForecastLanes(f *predict.Forecast) *lanesView {
	from, to := horizon(f)
	if len(f.Pods) == 0 || to <= from {
		return nil
	}
	x := across(from, to)
	v := &lanesView{Width: timeWidth, Bottom: timeTop, Label: "what happens to each pod over time"}
	order := byFate(f.Pods)
	for _, p := range order[:min(len(order), htmlLanes)] {
		name := p.Namespace + "/" + p.Name
		v.lane(name, name+": "+fateSays(f, p), bars(f, p, from, to), x)
	}
	if left := len(order) - len(v.Lanes); left > 0 {
		v.Left = "Not drawn: " + wording.Count(left, "more pod") + "."
	}
	if f.Now != nil {
		v.Now = x(time.Duration(*f.Now))
	}
	v.Ticks = durationTicks(from, to, x, func(at time.Duration) string {
		if f.EventAt != nil {
			return momentSays(f, plan.Duration(at))
		}
		return wording.Duration(at)
	})
	return v
}

// across returns the position of a time.
func across(from, to time.Duration) func(time.Duration) int {
	return func(d time.Duration) int {
		d = min(max(d, from), to)
		return timeLeft + int(float64(timeWidth-timeLeft-timeRight)*float64(d-from)/float64(to-from))
	}
}

// lane adds a lane below the others.
func (v *lanesView) lane(name, tip string, states []state, x func(time.Duration) int) {
	l := laneView{Y: v.Bottom, H: timeRow + 4, TextY: v.Bottom + timeRow/2 + 6, Name: shortenMiddle(name, 32), Tip: tip}
	for _, s := range states {
		l.bar(s, x(s.from), x(s.to), v.Bottom+2)
	}
	v.Lanes = append(v.Lanes, l)
	v.Bottom += timeRow + 8
	v.Height = v.Bottom + 4
}

// horizon returns the drawn interval: from the event, or from what came before it, to shortly after the last moment.
func horizon(f *predict.Forecast) (from, to time.Duration) {
	for _, m := range f.Timeline {
		from = min(from, m.Earliest())
		to = max(to, m.Latest())
	}
	if f.Now != nil {
		to = max(to, time.Duration(*f.Now))
	}
	if to == from {
		to = from + time.Minute
	}
	return from, to + (to-from)/8
}

// state is one bar of a lane.
type state struct {
	from, to  time.Duration
	class     string
	says      string
	uncertain bool
}

// bars returns the states of a pod and of its replacement, one after the other. Between two states is the time in which the
// first may become the second.
func bars(f *predict.Forecast, p predict.PodFate, from, to time.Duration) []state {
	var out []state
	at, class, says := from, "good", "running"
	switch {
	case f.Event == predict.PowerOff, f.Event == predict.Reboot:
		class, says = "bad", "off, still gets traffic"
	case f.Event == predict.Shutdown: // its pods are terminated first
	case f.Event == predict.AlreadyDown, f.Event.Silences():
		class, says = "warn", "no heartbeat"
	}
	turn := func(s *plan.Interval, nextClass, next string) {
		if s == nil || s.Earliest() < at {
			return
		}
		out = append(out, state{at, s.Earliest(), class, says, false})
		end := s.Earliest()
		if s.To > s.From {
			end = s.Latest()
			out = append(out, state{s.Earliest(), end, "maybe", says + ", or already " + next + " (" + whenSays(f, s) + ")", true})
		}
		at, class, says = end, nextClass, next
	}
	turn(p.NotReadyAt, "bad", "not ready")
	turn(p.ReadyAgain, "good", "ready again")
	terminating := "Terminating"
	if r := p.Replacement; r.Kind == predict.Created && r.StartsAt != nil && (p.GoneAt == nil || r.StartsAt.From < p.GoneAt.From) {
		// The new pod starts while the old one still exists. The lane continues with the new one.
		turn(p.DeletedAt, "warn", terminating)
		at = min(at, r.StartsAt.Earliest())
		turn(r.StartsAt, "good", "a new pod")
	} else {
		turn(p.DeletedAt, "warn", terminating)
		turn(p.GoneAt, "none", "gone")
		turn(r.StartsAt, "good", "a new pod")
	}
	return append(out, state{at, to, class, says, false})
}

func (l *laneView) bar(s state, from, to, y int) {
	if to <= from || s.class == "none" {
		return
	}
	b := spanView{X: from, Y: y + 1, W: to - from, H: timeRow - 2, Class: s.class, Tip: s.says}
	if room := (to - from - 10) / 6; room > 5 && !s.uncertain {
		b.Text = &lineView{X: from + 5, Y: y + timeRow/2 + 4, Text: shorten(s.says, room)}
	}
	l.Spans = append(l.Spans, b)
}

// durationTicks returns at most ten round times since the event, formatted as in text.
func durationTicks(from, to time.Duration, x func(time.Duration) int, text func(time.Duration) string) []tickView {
	step := steps[len(steps)-1]
	for _, s := range steps {
		if to-from <= 10*s {
			step = s
			break
		}
	}
	var out []tickView
	for at := from.Truncate(step); at <= to; at += step {
		if at < from || x(at) > timeWidth-timeRight-10 {
			continue
		}
		out = append(out, tickView{x(at), text(at)})
	}
	return out
}
