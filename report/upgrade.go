package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of an upgrade.
const (
	screenBatches = 6
	screenStuck   = 2
	screenHeld    = 2
	screenLosses  = 3
	screenTaken   = 8
)

// Upgrade writes the plan of a pool upgrade for a terminal: what blocks it and what to change come first.
func Upgrade(w io.Writer, u *upgrade.Plan, style Style) error { return upgradeOn.text(w, u, style) }

// UpgradeMarkdown writes it for a ticket.
func UpgradeMarkdown(w io.Writer, u *upgrade.Plan) error { return upgradeOn.markdown(w, u) }

var upgradeOn paged[upgrade.Plan] = func(c canvas, u *upgrade.Plan) {
	p := upgradePage{c}
	p.head(u)
	if u.Verdict == plan.Unclear { // what makes the plan unknown comes first
		writeNotChecked(p, u.Source, u.NotChecked)
	}
	p.stuck(u)
	p.first(u)
	p.losses(u)
	p.outages(u)
	p.needs(u)
	p.steps(u)
	p.list("Side effects", u.SideEffects, screenEffects)
	p.list("Assumptions", u.Assumptions, screenTaken)
	if u.Verdict != plan.Unclear {
		writeNotChecked(p, u.Source, u.NotChecked)
	}
}

type upgradePage struct{ canvas }

func span(i plan.Interval) string {
	from, to := wording.Duration(i.Earliest().Round(time.Second)), wording.Duration(i.Latest().Round(time.Second))
	if from == to {
		return from
	}
	return from + " to " + to
}

func (p *upgradePage) head(u *upgrade.Plan) {
	word := upgradeWord(u)
	color := map[plan.Verdict]string{plan.Clear: green, plan.Slow: yellow, plan.Unclear: yellow, plan.Blocked: red, plan.Harmful: red}[u.Verdict]
	p.title(word, color, "upgrade of pool "+u.Pool)
	if u.Unfinished != "" {
		p.note(u.Unfinished)
	}
	p.note(outcomeSays(u))
	if u.Underway != nil {
		p.note(underwaySays(u))
	}
	p.note(settingsSay(u))
	if u.Needs.Nodes > 0 && needsFirst(u) && !p.wide() {
		p.note(needsBrief(u))
	}
	if len(u.Outages) > 0 {
		p.note("no ready pod while its pod moves: " + wording.First(apply(u.Outages, outageName), p.limit(3, len(u.Outages))))
	}
}

// needsFirst reports whether what the upgrade needs decides whether it succeeds. Another obstacle leaves no room for it in the
// head of one screen.
func needsFirst(u *upgrade.Plan) bool { return u.Verdict != plan.Blocked || u.Needs.Lacking() }

// needsBrief returns what the upgrade needs in a row, and which limits were not read.
func needsBrief(u *upgrade.Plan) string {
	n := u.Needs
	text := fmt.Sprintf("needs %s more: %s, %d GiB of memory, %s", wording.Count(n.Nodes, "node"), cores(n), n.Memory>>30, addresses(n))
	if n.CoresLeft == nil {
		text += "; the quota was not read"
	}
	if n.AddressesLeft == nil {
		text += "; free addresses were not read"
	}
	return text
}

// outages shows how to start a second replica of workloads that would have no ready pod.
func (p *upgradePage) outages(u *upgrade.Plan) {
	var names []string
	var avoid []string
	for _, o := range u.Outages {
		for _, c := range o.Avoid {
			names, avoid = append(names, outageName(o)), append(avoid, string(c))
		}
	}
	if len(avoid) == 0 {
		return
	}
	p.section("Start a second replica first")
	limit := p.limit(screenHeld, len(avoid))
	for i, c := range avoid[:limit] {
		p.paragraph(names[i])
		p.command(c)
	}
	p.left(len(avoid)-limit, paragraphs, "workload", "workloads")
}

// underwaySays returns the progress of a running upgrade.
func underwaySays(u *upgrade.Plan) string {
	text := fmt.Sprintf("it runs already: %d of %s done", len(u.Underway.Done), wording.Count(len(u.Underway.Done)+len(u.Nodes), "node"))
	if at := u.Underway.At; at != "" {
		text += ", now at " + at
		if since := u.Underway.Since; since != nil && u.TakenAt != nil {
			text += " for " + wording.Duration(u.TakenAt.Sub(*since))
		}
	}
	return text + "; below are the remaining nodes, as if the upgrade started now"
}

func upgradeWord(u *upgrade.Plan) string { return strings.ToUpper(string(u.Verdict)) }

func settingsSay(u *upgrade.Plan) string {
	s := u.Settings
	text := fmt.Sprintf("%s, %s: surge %d, max unavailable %d, drain timeout %s", wording.Count(len(u.Nodes), "node"), s.Style, s.Surge, s.MaxUnavailable, timeout(s.DrainTimeout))
	if s.Soak > 0 {
		text += ", soak " + wording.Duration(s.Soak)
	}
	return text
}

func outcomeSays(u *upgrade.Plan) string {
	how := "takes " + span(u.Duration)
	switch {
	case u.Needs.Lacking():
		return "does not begin: " + lackSays(u.Needs)
	case len(u.Stuck) > 0 && u.Verdict == plan.Blocked:
		how = "gets stuck after " + span(u.Stuck[0].At)
	}
	if u.Unfinished != "" {
		how = "an upgrade that starts now " + how
	}
	how += ", with " + wording.Count(u.Moves, "eviction") + " in all"
	if u.Peak.Pods > 0 {
		how += fmt.Sprintf("; at most %s without a place at a time", wording.Count(u.Peak.Pods, "pod"))
	}
	return how
}

// lackSays names what has no room for the added nodes.
func lackSays(n upgrade.Needs) string {
	var out []string
	if n.LacksCores() {
		out = append(out, "the quota has no room for "+cores(n))
	}
	if n.LacksAddresses() {
		out = append(out, "the subnet has no room for "+addresses(n))
	}
	return wording.List(out)
}

func stuckSays(s upgrade.Stuck) string {
	when := "after " + span(s.At)
	if !s.Certain {
		when += ", if pods terminate slowly or are scheduled there"
	}
	return when
}

func peakSays(u *upgrade.Plan) string {
	return fmt.Sprintf("%s without a place after %s: %s", wording.Count(u.Peak.Pods, "pod"), span(u.Peak.At), wording.First(u.Peak.Some, 3))
}

func timeout(d time.Duration) string {
	if d == 0 {
		return "none"
	}
	return wording.Duration(d)
}

func (p *upgradePage) stuck(u *upgrade.Plan) {
	if len(u.Stuck) == 0 {
		return
	}
	p.section("Stuck")
	limit := p.limit(screenStuck, len(u.Stuck))
	for _, s := range u.Stuck[:limit] {
		when := stuckSays(s)
		p.entry(s.Node, fmt.Sprintf("%s, with %d of %d nodes done", when, s.Done, len(u.Nodes)))
		most := p.limit(screenHeld, len(s.Pods))
		for _, pod := range s.Pods[:most] {
			for _, b := range pod.Blockers {
				p.labelled("Pod", pod.Namespace+"/"+pod.Name)
				p.labelled("Why", string(b.Kind)+" "+b.Name+": "+b.Detail)
			}
		}
		p.left(len(s.Pods)-most, labels, "pod", "pods")
		p.labelled("Then", s.Then)
	}
	p.left(len(u.Stuck)-limit, paragraphs, "node", "nodes")
}

func (p *upgradePage) first(u *upgrade.Plan) {
	if u.First == nil {
		return
	}
	p.section("Before the upgrade")
	if p.wide() || !firstIsStuck(u) {
		p.paragraph(u.First.Why)
	}
	writeWays(p, "Fix", append([]plan.Way{{What: u.First.What, Commands: u.First.Commands, Harm: u.First.Harm}}, u.First.Or...))
}

// firstIsStuck reports whether the change is about the pod at the top of the page.
func firstIsStuck(u *upgrade.Plan) bool {
	if len(u.Stuck) == 0 || len(u.Stuck[0].Pods) == 0 {
		return false
	}
	pod := u.Stuck[0].Pods[0]
	return strings.HasPrefix(u.First.Why, fmt.Sprintf("pod %s/%s on node %s: ", pod.Namespace, pod.Name, u.Stuck[0].Node))
}

func (p *upgradePage) losses(u *upgrade.Plan) {
	names := apply(u.Left, func(h upgrade.Homeless) string { return h.Workload + ": " + h.Says })
	p.list("Left without a place", names, screenLosses)
	p.list("Deleted for good: no controller recreates these pods", u.Lost, screenLosses)
	p.list("Ended against their budgets", u.Forced, screenLosses)
	if u.Peak.Pods > 0 {
		p.section("Worst moment")
		p.paragraph(peakSays(u))
		p.paragraph(u.Peak.Says)
	}
}

// stepsWithRoom is the title of the steps of an upgrade that does not begin.
const stepsWithRoom = "Steps, if there were room"

// startSays returns when a step starts.
func startSays(i plan.Interval) string {
	if i.Latest() < time.Second {
		return "at once"
	}
	return "after " + span(i)
}

func (p *upgradePage) steps(u *upgrade.Plan) {
	title := "Steps"
	if u.Needs.Lacking() {
		title = stepsWithRoom
	}
	p.section(title)
	limit := p.limit(screenBatches, len(u.Steps))
	for i, s := range u.Steps[:limit] {
		text := fmt.Sprintf("%s, starts %s, ends after %s, %s", wording.First(s.Nodes, 3), startSays(s.Begin), span(s.End), wording.Count(s.Moves, "eviction"))
		if s.Waiting > 0 {
			text += fmt.Sprintf(", %d without a place", s.Waiting)
		}
		p.labelled(fmt.Sprint(i+1), text)
	}
	p.left(len(u.Steps)-limit, paragraphs, "step", "steps")
}

func (p *upgradePage) needs(u *upgrade.Plan) {
	if u.Needs.Nodes > 0 && (p.wide() || !needsFirst(u)) {
		p.section("Required quota and addresses")
		if !p.wide() {
			p.paragraph(needsBrief(u))
			return
		}
		p.paragraph(needsSay(u))
	}
}

func needsSay(u *upgrade.Plan) string {
	n := u.Needs
	return fmt.Sprintf("%s more: %s, %d GiB of memory, %s: %s", wording.Count(n.Nodes, "node"), cores(n), n.Memory>>30, addresses(n), n.PerNode)
}

func cores(n upgrade.Needs) string {
	out := wording.Count(int(n.Cores), "core")
	if n.CoresLeft != nil {
		out += fmt.Sprintf(" (%d left)", *n.CoresLeft)
	}
	return out
}

func addresses(n upgrade.Needs) string {
	out := wording.Counted(n.Addresses, "address", "addresses")
	if n.AddressesLeft != nil {
		out += fmt.Sprintf(" (%d left)", *n.AddressesLeft)
	}
	return out
}

func (p *upgradePage) list(title string, items []string, most int) {
	if len(items) == 0 {
		return
	}
	p.section(title)
	limit := p.limit(most, len(items))
	for _, x := range items[:limit] {
		p.paragraph(x)
	}
	p.left(len(items)-limit, paragraphs, "line", "lines")
}
