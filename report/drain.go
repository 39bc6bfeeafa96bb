package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of the one-screen form of a plan.
const (
	screenBlockers = 8
	drainPods      = 12
	screenEffects  = 6
)

// Drain writes the plan of a drain for a terminal: blockers first, with a workaround for each.
func Drain(w io.Writer, d *drain.Plan, style Style) error { return drainOn.text(w, d, style) }

// DrainMarkdown writes it for a ticket.
func DrainMarkdown(w io.Writer, d *drain.Plan) error { return drainOn.markdown(w, d) }

// DrainHTML writes it as one self-contained page.
func DrainHTML(w io.Writer, d *drain.Plan, version string) error {
	page := &webPage{}
	d = cleaned(d)
	p := drainPage{page}
	p.head(d)
	page.add(drawDrain(d))
	p.rest(d)
	return page.write(w, version)
}

var drainOn paged[drain.Plan] = func(c canvas, d *drain.Plan) {
	p := drainPage{c}
	p.head(d)
	p.rest(d)
}

// rest writes everything below the head.
func (p *drainPage) rest(d *drain.Plan) {
	first := d.Verdict != plan.Blocked // then the exit code reports what was not checked
	if first {
		writeNotChecked(p, d.Source, d.NotChecked)
	}
	p.blocked(d)
	p.interrupted(d)
	p.going(d)
	p.staying(d)
	p.saved(d)
	p.effects(d)
	if !first {
		writeNotChecked(p, d.Source, d.NotChecked)
	}
}

type drainPage struct{ canvas }

func (p *drainPage) head(d *drain.Plan) {
	word := strings.ToUpper(string(d.Verdict))
	color := map[plan.Verdict]string{plan.Clear: green, plan.Slow: yellow, plan.Blocked: red}[d.Verdict]
	p.title(word, color, "drain of "+wording.First(d.Nodes, 5))
	n, waves := map[drain.Action]int{}, 0
	for _, pod := range d.Pods {
		n[pod.Action]++
		waves = max(waves, pod.Wave)
	}
	var parts []string
	for _, x := range []struct {
		action drain.Action
		says   string
	}{{drain.Block, "blocked"}, {drain.Evict, "to evict"}, {drain.Wait, "terminating"}, {drain.Skip, "not evicted"}} {
		if n[x.action] > 0 {
			parts = append(parts, wording.Counted(n[x.action], "pod ", "pods ")+x.says)
		}
	}
	if len(parts) == 0 {
		parts = []string{"no pods"}
	}
	text := strings.Join(parts, ", ")
	if n[drain.Evict]+n[drain.Wait] > 0 {
		text += fmt.Sprintf("; %s, %s to %s", wording.Count(max(waves, 1), "wave"), wording.Duration(d.Estimate.Earliest().Round(time.Second)), wording.Duration(d.Estimate.Latest().Round(time.Second)))
		if n[drain.Block] > 0 {
			text += " for the other pods"
		}
		if len(d.NotChecked) > 0 {
			text += ", without delays by what was not checked"
		}
	}
	p.note(text)
	if text := placementsSay(d); text != "" {
		p.note(text)
	}
	p.outages(d)
	if !p.wide() {
		p.blockers(d)
	}
	if drainsAgain(d) {
		p.note("nodetriage drain shows its plan and asks before it changes anything")
	}
	if d.Verdict == plan.Clear {
		p.labelled("Next", "start the drain, which repeats these checks. To make the node schedulable again afterwards: "+string(d.Uncordon()))
		p.command(string(d.Again()))
	}
}

// drainsAgain reports whether the page shows a command that drains.
func drainsAgain(d *drain.Plan) bool {
	var shown []shell.Text
	for _, pod := range of(d, drain.Block) {
		for _, b := range pod.Blockers {
			shown = append(shown, b.Unblock...)
		}
	}
	for _, o := range d.Outages {
		shown = append(shown, o.Avoid...)
	}
	return slices.ContainsFunc(shown, func(c shell.Text) bool { return strings.HasPrefix(string(c), "nodetriage drain ") })
}

// placementsSay counts where the pods that are recreated fit; "" if there are none.
func placementsSay(d *drain.Plan) string {
	n, all := map[placement.Verdict]int{}, 0
	for _, pod := range d.Pods {
		lost := slices.ContainsFunc(pod.Blockers, func(b drain.Blocker) bool { return b.Kind == drain.Unmanaged })
		if moves := pod.Action == drain.Evict || pod.Action == drain.Block; moves && !lost {
			n[pod.Placement]++
			all++
		}
	}
	if all == 0 {
		return ""
	}
	if n[placement.Fits] == all {
		return wording.Counted(all, "new pod fits on another node", "new pods fit on other nodes")
	}
	if n[placement.Unknown] == all {
		return "it is unknown whether " + wording.Counted(all, "new pod fits", "new pods fit") + " on other nodes"
	}
	var parts []string
	for _, x := range []struct {
		verdict   placement.Verdict
		one, many string
	}{
		{placement.Fits, "fits on another node", "fit on other nodes"}, {placement.Pending, "fits on no other node", "fit on no other node"},
		{placement.Unknown, "unknown", "unknown"},
	} {
		if n[x.verdict] > 0 {
			parts = append(parts, wording.Counted(n[x.verdict], x.one, x.many))
		}
	}
	return "new pods: " + strings.Join(parts, ", ")
}

// screenOutages is how many outages have a row; more share one.
const screenOutages = 2

// outages names the workloads that are down meanwhile.
func (p *drainPage) outages(d *drain.Plan) {
	if len(d.Outages) <= screenOutages || p.wide() {
		for _, o := range d.Outages {
			p.note(outageSays(o))
		}
		return
	}
	text := "no ready pod until their new pods are ready: "
	p.note(text + wording.First(apply(d.Outages, outageName), 3) + "; " + surgeHelps(d.Outages))
}

func outageName(o drain.Outage) string { return o.Workload + " (" + o.Namespace + ")" }

// surgeHelps returns for how many of the workloads a second replica can be started first.
func surgeHelps(list []drain.Outage) string {
	n := 0
	for _, o := range list {
		if len(o.Avoid) > 0 {
			n++
		}
	}
	return fmt.Sprintf("--surge avoids that for %d of %d", n, len(list))
}

// outageSays returns how long a workload has no ready pod.
func outageSays(o drain.Outage) string {
	text := outageName(o) + " has no ready pod until "
	switch {
	case o.Lasts == nil:
		return text + "there is capacity for a new one"
	case o.Lasts.Latest() < time.Second:
		text += "the new one is ready"
	default:
		text += "the new one is ready (" + span(*o.Lasts) + ")"
	}
	if len(o.Avoid) > 0 {
		text += "; --surge avoids that"
	}
	return text
}

// blockers writes a row for each kind of blocker in the head of the page, where no row is left out.
func (p *drainPage) blockers(d *drain.Plan) {
	var order []drain.Kind
	kinds := map[drain.Kind]*held{}
	for _, pod := range of(d, drain.Block) {
		for _, b := range pod.Blockers {
			if b.Passing {
				continue
			}
			if kinds[b.Kind] == nil {
				kinds[b.Kind] = &held{Blocker: b}
				order = append(order, b.Kind)
			}
			if k := kinds[b.Kind]; !slices.Contains(k.pods, pod.Key()) {
				k.pods = append(k.pods, pod.Key())
			}
		}
	}
	if len(order) < 2 { // the section below shows it
		return
	}
	for _, kind := range order {
		k := kinds[kind]
		text := "blocked by " + string(kind) + ": " + wording.First(k.pods, 2)
		if option := wayPast(d, k.Unblock); option != "" {
			text += " (" + option + ")"
		}
		p.note(text)
	}
}

// wayPast returns the option of this drain that removes a blocker, or the nodetriage command that shows more; "" if there is
// none.
func wayPast(d *drain.Plan, unblock []shell.Text) string {
	for _, c := range slices.Backward(unblock) {
		if option, ok := strings.CutPrefix(string(c), "nodetriage drain "+string(shell.Words("node", d.Nodes...))+" "); ok {
			return option
		}
	}
	for _, c := range unblock {
		if strings.HasPrefix(string(c), "nodetriage ") {
			return string(c)
		}
	}
	return ""
}

// blockersFound returns the known blockers of a pod. The page lists what was not read once, for all pods.
func blockersFound(pod drain.Pod) []drain.Blocker {
	return slices.DeleteFunc(slices.Clone(pod.Blockers), func(b drain.Blocker) bool { return b.Kind == drain.Unread })
}

// held is a blocker and the pods that it blocks.
type held struct {
	drain.Blocker
	pods []string
}

// gather joins the pods that the same step unblocks.
func gather(list []drain.Pod, wide bool) []held {
	var out []held
	at := map[string]int{}
	for _, pod := range list {
		for _, b := range blockersFound(pod) {
			key := string(b.Kind) + "\x00" + strings.Join(shell.Strings(b.Unblock), "\x00")
			if b.Allowed != nil || len(b.Unblock) == 0 || wide {
				key += "\x00" + b.Name + "\x00" + b.Detail
			}
			i, known := at[key]
			if !known {
				i = len(out)
				at[key] = i
				out = append(out, held{Blocker: b})
			}
			out[i].pods = append(out[i].pods, pod.Key())
		}
	}
	return out
}

func (p *drainPage) blocked(d *drain.Plan) {
	list := gather(of(d, drain.Block), p.wide())
	if len(list) == 0 {
		return
	}
	p.section("Blocked")
	limit := p.limit(screenBlockers, len(list))
	for _, h := range list[:limit] {
		name := string(h.Kind)
		if len(h.pods) == 1 || h.Allowed != nil {
			name += " " + h.Name
		}
		p.entry(name, "")
		p.labelled("Pods", wording.First(h.pods, p.limit(3, len(h.pods))))
		p.labelled("Why", h.Detail)
		if h.Allowed != nil {
			p.labelled("PDB", fmt.Sprintf("%d allowed, %d healthy, %d required", *h.Allowed, *h.Healthy, *h.Desired))
		}
		if len(h.Unblock) > 0 {
			writeWays(p, "Fix", append([]plan.Way{{What: h.What, Commands: h.Unblock, Harm: h.Harm}}, h.Or...))
		}
	}
	p.left(len(list)-limit, paragraphs, "blocker", "blockers")
}

func (p *drainPage) going(d *drain.Plan) {
	list := append(of(d, drain.Evict), of(d, drain.Wait)...)
	if len(list) == 0 {
		return
	}
	p.section("Evicts")
	limit := p.limit(drainPods, len(list))
	for _, pod := range list[:limit] {
		when := fmt.Sprintf("wave %d", pod.Wave)
		if pod.Action == drain.Wait {
			when = "going"
		}
		text := pod.Key() + ", " + pod.Message
		if len(d.Nodes) > 1 {
			text = pod.Key() + " on " + pod.Node + ", " + pod.Message
		}
		if pod.Placement != placement.Unknown && pod.Placement != placement.Fits {
			text += " (" + string(pod.Placement) + ")"
		}
		p.labelled(when, text)
		for _, b := range blockersFound(pod) {
			p.labelled("", string(b.Kind)+" "+b.Name+": "+b.Detail)
			if b.Kind == drain.Finalizer || b.Kind == drain.Grace {
				p.wayOut(b)
			}
		}
	}
	p.left(len(list)-limit, paragraphs, "pod", "pods")
}

// interrupted shows the outages that a command avoids.
func (p *drainPage) interrupted(d *drain.Plan) {
	var avoid []shell.Text
	var names []string
	for _, o := range d.Outages {
		if len(o.Avoid) > 0 {
			names, avoid = append(names, outageName(o)), o.Avoid
		}
	}
	if len(avoid) == 0 {
		return
	}
	p.section("Start a second replica first")
	p.paragraph(wording.First(names, p.limit(3, len(names))))
	for _, c := range avoid {
		p.command(string(c))
	}
}

// wayOut shows what shortens a delay, or saves data that is left on the node.
func (p *drainPage) wayOut(b drain.Blocker) {
	for _, c := range b.Unblock {
		p.command(string(c))
	}
	if len(b.Unblock) > 0 {
		p.labelled("", "harm: "+b.Harm)
	}
}

func (p *drainPage) staying(d *drain.Plan) {
	list := of(d, drain.Skip)
	if len(list) == 0 {
		return
	}
	p.section("Stays")
	names := apply(list, func(pod drain.Pod) string { return pod.Key() + " (" + pod.Message + ")" })
	p.paragraph(wording.First(names, p.limit(3, len(names))))
}

// saved shows what agents saved, because a node is often rebooted or replaced after a drain.
func (p *drainPage) saved(d *drain.Plan) {
	if len(d.Saved) > 0 {
		p.section("Evidence")
		saved(p, d.Saved)
	}
}

func (p *drainPage) effects(d *drain.Plan) {
	if len(d.SideEffects) > 0 {
		p.section("Side effects")
		limit := p.limit(screenEffects, len(d.SideEffects))
		for _, e := range d.SideEffects[:limit] {
			p.paragraph(e)
		}
		p.left(len(d.SideEffects)-limit, paragraphs, "side effect", "side effects")
	}
}

func of(d *drain.Plan, action drain.Action) []drain.Pod {
	var out []drain.Pod
	for _, pod := range d.Pods {
		if pod.Action == action {
			out = append(out, pod)
		}
	}
	return out
}

// DrainEnd is the result of a drain.
type DrainEnd struct {
	Nodes   []string
	DryRun  bool   // the API server validated the requests, and nothing changed
	Undo    string // the command that uncordons the nodes; empty: they are not cordoned
	Drained bool
	Evicted int
	Aborted string
	Left    []string // remaining pods, with the reason
}

// Drained writes the result of a drain for a terminal.
func Drained(w io.Writer, e DrainEnd, style Style) error {
	e = *cleaned(&e)
	p := screen{style: style}
	word, color := "DRAINED", green
	text := wording.Count(e.Evicted, "pod") + " evicted"
	switch {
	case e.DryRun:
		word, color = "DRY RUN", yellow
		text = "nothing was done; the API server would evict " + wording.Count(e.Evicted, "pod")
		if len(e.Left) > 0 {
			text += ", and not " + wording.Count(len(e.Left), "other")
		}
	case !e.Drained:
		word, color = "NOT DRAINED", red
	}
	if e.Aborted != "" {
		text += "; it ended early: " + e.Aborted
	}
	p.line("\n%s  %s", p.style.paint(bold+";"+color, word), wording.WrapFrom(text, len(word)+2, style.width(), margin))
	for _, l := range e.Left {
		p.paragraph(l)
	}
	if e.Undo != "" {
		p.paragraph("No new pods are scheduled to " + wording.First(e.Nodes, 5) + " until:")
		p.command(e.Undo)
	}
	_, err := io.WriteString(w, p.String())
	return err
}
