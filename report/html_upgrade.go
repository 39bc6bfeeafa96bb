package report

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/wording"
)

// upgradeView is the HTML form of an upgrade plan.
type upgradeView struct {
	frame
	Name      string
	Facts     []string
	First     *upgrade.Change
	Stuck     []stuckView
	Lanes     *lanesView
	Steps     []stepView
	StepsLeft string
	Lists     []listView
}

type stuckView struct {
	Node, When, Then string
	Pods             []heldView
	PodsLeft         string
}

type heldView struct {
	Name string
	Why  []string
}

type stepView struct {
	Nodes, Begin, End string
	Moves, Waiting    int
}

type listView struct {
	Title string
	Items []string
	Left  string
}

// Limits of the HTML form of an upgrade.
const (
	htmlNodes = 120
	htmlStuck = 20
	htmlHeld  = 40
)

// UpgradeHTML writes the plan of a pool upgrade as one self-contained page, with a lane for each node.
func UpgradeHTML(w io.Writer, u *upgrade.Plan, version string) error {
	u = cleaned(u)
	class := map[plan.Verdict]string{plan.Clear: "good", plan.Slow: "warn", plan.Blocked: "bad", plan.Harmful: "bad"}[u.Verdict]
	if class == "" {
		class = "dim"
	}
	v := upgradeView{
		frame: frame{Title: "nodetriage: upgrade of pool " + u.Pool, Verdict: upgradeWord(u), VerdictClass: class, Version: version},
		Name:  "pool " + u.Pool, Facts: []string{settingsSay(u), outcomeSays(u)}, First: u.First,
	}
	for _, s := range u.Stuck[:min(len(u.Stuck), htmlStuck)] {
		v.Stuck = append(v.Stuck, newStuckView(s))
	}
	v.Lanes = newUpgradeLanes(u)
	for _, s := range u.Steps[:min(len(u.Steps), htmlNodes)] {
		v.Steps = append(v.Steps, stepView{wording.First(s.Nodes, 5), span(s.Begin), span(s.End), s.Moves, s.Waiting})
	}
	if left := len(u.Steps) - len(v.Steps); left > 0 {
		v.StepsLeft = "and " + wording.Count(left, "more step") + " (-o json has all)"
	}
	v.lists(u)
	return writePage(w, v.frame, drawUpgrade(&v))
}

func newStuckView(s upgrade.Stuck) stuckView {
	v := stuckView{Node: s.Node, When: stuckSays(s), Then: s.Then}
	for _, p := range s.Pods[:min(len(s.Pods), htmlHeld)] {
		held := heldView{Name: p.Namespace + "/" + p.Name}
		for _, b := range p.Blockers {
			held.Why = append(held.Why, string(b.Kind)+" "+b.Name+": "+b.Detail)
		}
		v.Pods = append(v.Pods, held)
	}
	if left := len(s.Pods) - len(v.Pods); left > 0 {
		v.PodsLeft = "and " + wording.Count(left, "more pod")
	}
	return v
}

func (v *upgradeView) lists(u *upgrade.Plan) {
	add := func(title string, items []string) {
		if len(items) == 0 {
			return
		}
		l := listView{Title: title, Items: items[:min(len(items), htmlList)]}
		if left := len(items) - len(l.Items); left > 0 {
			l.Left = "and " + wording.Counted(left, "more", "more") + " (-o json has all)"
		}
		v.Lists = append(v.Lists, l)
	}
	add("Left without a place", apply(u.Left, func(h upgrade.Homeless) string { return h.Workload + ": " + h.Says }))
	add("Deleted for good: no controller recreates these pods", u.Lost)
	add("Ended against their budgets", u.Forced)
	if u.Peak.Pods > 0 {
		add("Worst moment", []string{peakSays(u), u.Peak.Says})
	}
	if u.Needs.Nodes > 0 {
		add("Required quota and addresses", []string{needsSay(u)})
	}
	add("Side effects", u.SideEffects)
	add("Assumptions", u.Assumptions)
	add("Not checked", apply(alike(u.NotChecked), gapSays))
}

// newUpgradeLanes draws the nodes in the order in which they are replaced.
func newUpgradeLanes(u *upgrade.Plan) *lanesView {
	to := u.Duration.Latest()
	for _, s := range u.Stuck {
		to = max(to, s.At.Latest())
	}
	for _, s := range u.Steps {
		to = max(to, s.End.Latest())
	}
	if to <= 0 {
		return nil
	}
	to += to / 8
	x := across(0, to)
	v := &lanesView{Width: timeWidth, Bottom: timeTop, Label: "what happens to each node over time"}
	v.Ticks = durationTicks(0, to, x, wording.Duration)
	drawn := map[string]bool{}
	all := 0
	draw := func(node string, states []state) {
		if drawn[node] {
			return
		}
		drawn[node] = true
		if all++; all <= htmlNodes {
			v.lane(node, node, states, x)
		}
	}
	for _, s := range u.Steps {
		for _, n := range s.Nodes {
			draw(n, nodeStates(u, s, n, to))
		}
	}
	for _, n := range u.Nodes {
		draw(n, []state{{0, to, "good", "not touched", false}})
	}
	if all > htmlNodes {
		v.Left = "Not drawn: " + wording.Count(all-htmlNodes, "more node") + "."
	}
	return v
}

// nodeStates returns the states of a node before, during and after its step.
func nodeStates(u *upgrade.Plan, s upgrade.Step, node string, to time.Duration) []state {
	before, after := "old", state{class: "good", says: "replaced"}
	if !slices.Contains(u.Nodes, node) {
		before, after = "added", state{class: "none"}
	}
	end := s.End
	for _, k := range u.Stuck {
		if k.Node == node && k.Certain {
			end, after = k.At, state{class: "bad", says: "stuck"}
		}
	}
	after.from, after.to = end.Latest(), to
	out := []state{{0, s.Begin.Earliest(), "good", before, false}}
	if s.Begin.Latest() > end.Earliest() {
		says := fmt.Sprintf("drained somewhere between %s and %s", wording.Duration(s.Begin.Earliest()), wording.Duration(end.Latest()))
		return append(out, state{s.Begin.Earliest(), end.Latest(), "maybe", says, true}, after)
	}
	return append(out,
		state{s.Begin.Earliest(), s.Begin.Latest(), "maybe", before + ", or already drained (" + span(s.Begin) + ")", true},
		state{s.Begin.Latest(), end.Earliest(), "warn", "drained", false},
		state{end.Earliest(), end.Latest(), "maybe", "drained, or done already (" + span(end) + ")", true}, after)
}
