package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of a forecast.
const (
	screenMoments   = 5
	screenWorkloads = 6
	screenFates     = 10
	screenAssumed   = 3
	screenDangers   = 2
)

// Forecast writes a forecast for a terminal: events in order, events that never happen, options, and the fate of each pod. For
// a past event it shows clock times, otherwise the time since the event.
func Forecast(w io.Writer, f *predict.Forecast, style Style) error {
	return forecastOn.text(w, f, style)
}

// ForecastMarkdown writes it for a ticket.
func ForecastMarkdown(w io.Writer, f *predict.Forecast) error { return forecastOn.markdown(w, f) }

var forecastOn paged[predict.Forecast] = func(c canvas, f *predict.Forecast) {
	p := forecastPage{c, f}
	p.head()
	p.workloads()
	p.options()
	p.never()
	if !p.wide() { // it is not an assumption, so it does not give way with them
		p.notKnown()
	}
	p.story()
	p.fates()
	p.assumptions()
}

type forecastPage struct {
	canvas
	f *predict.Forecast
}

func (p *forecastPage) head() {
	word := "FORECAST"
	rest := p.f.Scenario + " of " + wording.First(p.f.Nodes, 5)
	if p.f.EventAt != nil {
		word = "DOWN"
		rest = wording.First(p.f.Nodes, 5) + ", since " + wording.Instant(*p.f.EventAt)
		if p.f.Now != nil {
			rest += " (" + wording.Duration(time.Duration(*p.f.Now)) + ")"
		}
	}
	p.title(word, "", rest)
	p.note("from " + p.f.Source + "; " + fatesSay(p.f))
	for _, d := range p.f.Depends {
		p.note("depends " + d)
	}
	if p.f.EventAt != nil && len(p.f.Nodes) > 0 {
		p.labelled("Cause", "and fix:")
		p.command(string(shell.Format("nodetriage diagnose {node}", p.f.Nodes[0])))
	}
}

// deletedForGood is the end of a pod that no controller creates again.
const deletedForGood = "deleted for good"

// podEnds are what becomes of pods, in the words of the headline, the worst first.
var podEnds = []string{deletedForGood, "not recreated", "recreated but Pending", "recreated", "deleted", "waiting for the node", "still bound to the node", "on the same node"}

// endOf returns what becomes of the pod as part of its workload. That the object of the old pod is never removed does not
// matter if another pod runs.
func endOf(pod predict.PodFate) string {
	r := pod.Replacement
	switch {
	case pod.Fate == predict.Lost:
		return deletedForGood
	case pod.Fate == predict.NeverMoves:
		return "still bound to the node"
	case pod.Fate == predict.Stays:
		return "on the same node"
	case r.Kind == predict.None:
		return "deleted"
	case strings.HasPrefix(pod.Owner, "DaemonSet/"):
		return "waiting for the node"
	case r.Kind == predict.Created && r.Placement == placement.Pending:
		return "recreated but Pending"
	case r.Kind == predict.Created && r.StartsAt != nil:
		return "recreated"
	}
	return "not recreated"
}

// fatesSay counts the pods by what becomes of them, and says when new ones can start.
func fatesSay(f *predict.Forecast) string {
	if len(f.Pods) == 0 {
		return "no pods"
	}
	n := map[string]int{}
	var starts *plan.Interval
	for _, pod := range f.Pods {
		end := endOf(pod)
		n[end]++
		if at := pod.Replacement.StartsAt; end == "recreated" {
			if starts == nil {
				starts = at
			}
			both := starts.Cover(*at)
			starts = &both
		}
	}
	var out []string
	for _, end := range podEnds {
		if n[end] == 0 {
			continue
		}
		text := fmt.Sprintf("%d %s", n[end], end)
		if end == "recreated" {
			text += " (" + whenSays(f, starts) + ")"
		}
		out = append(out, text)
	}
	return wording.Count(len(f.Pods), "pod") + ": " + strings.Join(out, ", ")
}

// chapter is the same event of several subjects.
type chapter struct {
	predict.Moment
	subjects []evidence.Subject
}

// chapters joins moments with the same text at the same time. The interval of a chapter covers its moments. Past and future
// moments are not joined, because the current time separates them. Moments are ordered by their start.
func chapters(list []predict.Moment, now *plan.Duration) []chapter {
	var out []chapter
	at := map[string]int{}
	for _, m := range list {
		key := fmt.Sprint(m.What, "\x00", m.Why, "\x00", m.Possible, m.Subject.Kind, happened(m, now))
		i, known := at[key]
		if !known || m.From > out[i].To {
			i = len(out)
			at[key] = i
			out = append(out, chapter{Moment: m})
		}
		c := &out[i]
		c.subjects = append(c.subjects, m.Subject)
		c.Interval = c.Cover(m.Interval)
	}
	return out
}

// happened reports whether the moment is certainly past. A moment that is overdue is expected now.
func happened(m predict.Moment, now *plan.Duration) bool { return now != nil && m.To < *now }

func (p *forecastPage) story() {
	all := chapters(p.f.Timeline, p.f.Now)
	if p.f.Now == nil {
		p.moments("What happens", all)
		return
	}
	var past, next []chapter
	for _, c := range all {
		if happened(c.Moment, p.f.Now) {
			past = append(past, c)
		} else {
			next = append(next, c)
		}
	}
	p.moments("What has happened", past)
	p.moments("What happens next automatically", next)
	if len(next) == 0 {
		p.section("What happens next automatically")
		p.paragraph("Nothing.")
	}
}

func (p *forecastPage) moments(title string, list []chapter) {
	if len(list) == 0 {
		return
	}
	p.section(title)
	shown := list
	if !p.wide() && len(list) > screenMoments {
		shown = slices.DeleteFunc(slices.Clone(list), besidePods)
	}
	limit := p.limit(screenMoments, len(shown))
	for _, c := range shown[:limit] {
		p.at(whenSays(p.f, &c.Interval), p.momentText(c))
	}
	p.left(len(list)-limit, paragraphs, "event", "events")
}

// besidePods reports whether the event changes neither a pod nor what traffic it gets. Where space is short, it gives way to the
// events that do.
func besidePods(c chapter) bool {
	return c.Subject.Kind == "PodDisruptionBudget" || strings.HasSuffix(c.What, "the timers of its pods start")
}

// momentText returns what happens, and to whom. One screen names neither the only node nor its taint, which follows from its
// condition.
func (p *forecastPage) momentText(c chapter) string {
	who, what := names(c.subjects, p.limit(3, len(c.subjects))), c.What
	if !p.wide() {
		what = ofCondition.ReplaceAllString(what, ";")
		if len(p.f.Nodes) == 1 && c.Subject.Kind == "Node" {
			who = ""
		}
	}
	if c.Possible {
		who = joined(", ", who, "possibly")
	}
	if p.wide() {
		what += " (" + c.Why + ")"
	}
	return joined(": ", who, what)
}

// ofCondition matches the taint that belongs to a condition.
var ofCondition = lazyregexp.New(`, taint [^;]*;`)

// names returns subjects without their kind, which the text contains.
func names(list []evidence.Subject, n int) string {
	return wording.First(apply(list, func(s evidence.Subject) string {
		if s.Namespace == "" {
			return s.Name
		}
		return s.Namespace + "/" + s.Name
	}), n)
}

// whenSays returns an interval, as clock times if the time of the event is known.
func whenSays(f *predict.Forecast, s *plan.Interval) string {
	if s == nil {
		return "never"
	}
	from, to := momentSays(f, s.From), momentSays(f, s.To)
	if from == to {
		return from
	}
	return from + " to " + to
}

func momentSays(f *predict.Forecast, d plan.Duration) string {
	t := time.Duration(d)
	if f.EventAt == nil {
		return wording.Duration(t.Round(time.Second))
	}
	at := f.EventAt.Add(t)
	if f.Now != nil && at.Format(time.DateOnly) != f.EventAt.Add(time.Duration(*f.Now)).Format(time.DateOnly) {
		return at.UTC().Format("Jan 2 15:04Z")
	}
	return at.UTC().Format("15:04:05Z")
}

func (p *forecastPage) workloads() {
	if len(p.f.Workloads) == 0 {
		return
	}
	if !p.wide() {
		p.grid(workloadRows(p.f))
		return
	}
	p.section("Workloads")
	limit := p.limit(screenWorkloads, len(p.f.Workloads))
	for _, w := range p.f.Workloads[:limit] {
		p.paragraph(w.Kind + " " + w.Namespace + "/" + w.Name + ": " + workloadSays(p.f, w))
	}
	p.left(len(p.f.Workloads)-limit, paragraphs, "workload", "workloads")
}

// workloadRows has a row for each workload, so that none is hidden on one screen.
func workloadRows(f *predict.Forecast) grid {
	out := grid{title: "Workloads", whole: len(f.Workloads) <= screenWorkloads, columns: []column{{"WORKLOAD", always}, {"PODS HERE", always}, {"READY ON OTHER NODES", always}, {"ALL READY AFTER", always}}}
	if f.EventAt != nil {
		out.columns[3].name = "ALL READY AT"
	}
	for _, w := range f.Workloads {
		ready := fmt.Sprint(w.Elsewhere)
		if w.Outage {
			ready += ", NO ready pod"
		}
		again := "-"
		switch {
		case w.RestoredAt != nil:
			again = whenSays(f, w.RestoredAt)
		case w.Elsewhere < w.Wanted:
			again = "not by itself"
		}
		out.rows = append(out.rows, gridRow{cells: []string{
			strings.ToLower(w.Kind) + " " + w.Namespace + "/" + w.Name, fmt.Sprintf("%d of %d", w.Hit, max(w.Wanted, w.Hit)), ready, again,
		}})
	}
	return out
}

func workloadSays(f *predict.Forecast, w predict.WorkloadFate) string {
	out := fmt.Sprintf("%d of %s affected, %d Ready on other nodes", w.Hit, wording.Count(max(w.Wanted, w.Hit), "pod"), w.Elsewhere)
	if w.Outage {
		out += ", NO Ready pod left"
	}
	switch {
	case w.RestoredAt != nil:
		out += "; all replicas Ready again " + whenSays(f, w.RestoredAt) + " at the earliest"
	case w.Elsewhere < w.Wanted:
		out += "; replicas are not restored automatically"
	}
	return out
}

func (p *forecastPage) never() {
	if len(p.f.Never) == 0 {
		return
	}
	p.section("Requires manual action")
	for _, n := range p.f.Never {
		p.paragraph(n)
	}
	writeWays(p, "Do", p.f.Act)
}

func (p *forecastPage) options() {
	if len(p.f.Options) == 0 {
		return
	}
	p.section("Options")
	p.table([]string{"OPTION", "RISK", "PODS RUN AGAIN", "STATEFUL PODS", "OBJECTS DELETED"}, apply(p.f.Options, func(o predict.Option) []string {
		again, stateful, gone := optionSays(p.f, o)
		return []string{o.Name, o.Risk, again, stateful, gone}
	}))
	if !p.wide() {
		p.cautions()
		return
	}
	for _, o := range p.f.Options {
		if len(o.Danger)+len(o.Commands) == 0 {
			continue
		}
		p.blank()
		p.entry(o.Name+": "+o.Title, "")
		limit := p.limit(screenDangers, len(o.Danger))
		for _, d := range o.Danger[:limit] {
			p.labelled("Caution", d)
		}
		p.left(len(o.Danger)-limit, labels, "warning", "warnings")
		for _, c := range o.Commands {
			p.command(string(c))
		}
	}
}

// cautions adds to the table what the options with a high risk have in common, and where their commands are.
func (p *forecastPage) cautions() {
	var risky []string
	for _, o := range p.f.Options {
		if o.Risk == "high" {
			risky = append(risky, o.Name)
		}
	}
	text := "commands: -o wide"
	if i := slices.IndexFunc(p.f.Pods, func(pod predict.PodFate) bool { return endOf(pod) == "not recreated" }); i >= 0 {
		text += ", or for one pod: " + string(shell.Format("nodetriage why {pod} -n {namespace}", p.f.Pods[i].Name, p.f.Pods[i].Namespace))
	}
	if len(risky) > 0 {
		text = wording.List(risky) + " only if the VM is certainly off; " + text
	}
	p.labelled("", text)
}

// optionSays describes the effect of an option: how many pods of controllers can run again and by when, the pods that must
// exist only once, and how many objects are deleted.
func optionSays(f *predict.Forecast, o predict.Option) (again, stateful, gone string) {
	by := func(n, of int, s *plan.Interval) string {
		out := fmt.Sprintf("%d/%d", n, of)
		if s != nil {
			out += " " + momentSays(f, s.To)
		}
		return out
	}
	again, stateful, gone = by(o.Restored, o.RestoredOf, o.RestoredAt), "-", fmt.Sprint(o.Gone)
	if o.StatefulOf > 0 {
		stateful = by(o.Stateful, o.StatefulOf, o.StatefulAt)
	}
	return again, stateful, gone
}

func (p *forecastPage) fates() {
	if len(p.f.Pods) == 0 {
		return
	}
	p.section("Pods")
	order := byFate(p.f.Pods)
	limit := p.limit(screenFates, len(order))
	for _, pod := range order[:limit] {
		p.paragraph(pod.Namespace + "/" + pod.Name + ": " + fateSays(p.f, pod))
		if p.wide() {
			for _, b := range pod.Because {
				p.detail(b)
			}
		}
	}
	p.left(len(order)-limit, paragraphs, "pod", "pods")
}

// byFate sorts pods by fate, the worst first.
func byFate(pods []predict.PodFate) []predict.PodFate {
	var out []predict.PodFate
	for _, f := range []predict.Fate{predict.Lost, predict.StuckTerminating, predict.Evicted, predict.NeverMoves, predict.Stays} {
		for _, pod := range pods {
			if pod.Fate == f {
				out = append(out, pod)
			}
		}
	}
	return out
}

func fateSays(f *predict.Forecast, pod predict.PodFate) string {
	out := fateWord(pod)
	if pod.Owner != "" {
		out += " (" + pod.Owner + ")"
	}
	if pod.DeletedAt != nil {
		out += ", deleted " + whenSays(f, pod.DeletedAt)
		if pod.GoneAt != nil {
			out += ", gone " + whenSays(f, pod.GoneAt)
		}
	}
	if text := replacementSays(f, pod.Replacement); text != "" {
		out += "; " + text
	}
	return out
}

// fateWords are the words for fates on a page. JSON has the ids.
var fateWords = map[predict.Fate]string{
	predict.Stays: "on the same node", predict.Evicted: "evicted", predict.StuckTerminating: "stuck Terminating",
	predict.Lost: deletedForGood, predict.NeverMoves: "not deleted",
}

// fateWord returns the fate of a pod, and whether another fate is possible.
func fateWord(pod predict.PodFate) string {
	if pod.Possible {
		return "possibly " + fateWords[pod.Fate]
	}
	return fateWords[pod.Fate]
}

func replacementSays(f *predict.Forecast, r predict.Replacement) string {
	var out string
	switch r.Kind {
	case predict.Created:
		out = "a new one is created " + whenSays(f, r.At)
		if r.StartsAt != nil && r.StartsAt.From != r.At.From {
			out += " and can start " + whenSays(f, r.StartsAt)
		}
		switch r.Placement {
		case placement.Fits:
			out += ", fits on " + wording.Count(r.Nodes, "node")
		case placement.Pending:
			out += ", PENDING"
		}
	case predict.Waits:
		out = "no replacement yet"
	}
	if r.Message != "" {
		if out != "" {
			out += ": "
		}
		out += r.Message
	}
	return out
}

// notKnown writes what was not read, or only in part.
func (p *forecastPage) notKnown() {
	if len(p.f.NotChecked) > 0 {
		p.section("Not known")
	}
	for _, g := range p.f.NotChecked {
		p.paragraph(gapSays(triage.NotChecked{What: g.Title(), Why: g.Why, How: g.How}))
	}
}

func (p *forecastPage) assumptions() {
	p.section("Assumed")
	if p.wide() {
		for _, g := range p.f.NotChecked {
			p.paragraph("not known: " + gapSays(triage.NotChecked{What: g.Title(), Why: g.Why, How: g.How}))
		}
	}
	limit := p.limit(screenAssumed, len(p.f.Assumptions))
	for _, a := range p.f.Assumptions[:limit] {
		p.paragraph(a)
	}
	p.left(len(p.f.Assumptions)-limit, paragraphs, "assumption", "assumptions")
}
