package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// DrainInput is the input of plan_drain.
type DrainInput struct {
	Page
	Nodes      []string `json:"nodes,omitempty" jsonschema:"names of the nodes to drain together"`
	Selector   string   `json:"selector,omitempty" jsonschema:"labels that select the nodes instead, such as pool=blue"`
	Accept     []string `json:"accept,omitempty" jsonschema:"risks that a person has accepted: unmanaged, local-data, host-data, local-volume or no-room"`
	SuspendPDB []string `json:"suspendPDB,omitempty" jsonschema:"PodDisruptionBudgets that a person wants to suspend, as namespace/name"`
	Surge      bool     `json:"surge,omitempty" jsonschema:"start a second replica before the only replica of a Deployment is evicted"`
}

func (t *tools) planDrain(ctx context.Context, in DrainInput, _ *kept) (Answer, error) {
	if len(in.Nodes) == 0 && in.Selector == "" {
		return Answer{}, refuse("nodes is empty: name the nodes to drain, or set selector")
	}
	from, err := t.from(ctx)
	if err != nil {
		return Answer{}, err
	}
	opt := ask.DrainOptions{Nodes: t.aliases(in.Nodes), Selector: in.Selector, Suspend: t.aliases(in.SuspendPDB), Surge: in.Surge}
	for _, a := range in.Accept {
		opt.Accept = append(opt.Accept, drain.Kind(a))
	}
	d, err := ask.Drain(ctx, from, opt)
	if err != nil {
		return Answer{}, err
	}
	return drainAnswer(d, opt), nil
}

// nothingDone says of every plan that it was not executed.
const nothingDone = "Nothing was changed. "

func drainAnswer(d *drain.Plan, opt ask.DrainOptions) Answer {
	a := Answer{
		Verdict: fmt.Sprint(d.Verdict), TakenAt: moment(d.TakenAt),
		Impact:    nothingDone + fmt.Sprintf("The evictions of the plan take %s.", d.Estimate),
		Untrusted: Data{Source: d.Source, Objects: d.Nodes},
		NotKnown:  unreadItems(nil, d.NotChecked),
	}
	actions := map[string]int{}
	var blockers, pods []Item
	for i := range d.Pods {
		p := &d.Pods[i]
		actions["pods: "+fmt.Sprint(p.Action)]++
		for _, b := range p.Blockers {
			blockers = append(blockers, blockerItem(p.Namespace, p.Name, b))
		}
		pods = append(pods, Item{Kind: "pod", Result: fmt.Sprint(p.Action), Says: waveSays(p.Wave), Untrusted: Data{Objects: []string{p.Key()}, Says: p.Message}})
	}
	a.Counts = sortedCounts(actions)
	run := Item{
		Kind: "command", Where: "workstation", Disrupts: true, Risk: riskOf(d.Verdict),
		Says:      "A person runs it. It shows the plan again, asks for confirmation, cordons the nodes, and evicts the pods in the order of the plan. The nodes stay cordoned.",
		Untrusted: Data{Commands: commands([]shell.Text{drainCommand(d, opt)})},
	}
	switch {
	case len(blockers) > 0:
		a.First = blockers[0]
		a.Next = unblockItem(d)
		a.Rest = append(blockers[1:], run)
	default:
		a.Next = run
	}
	a.Avoid = []Item{
		{Kind: "caution", Says: "Do not run the drain while the verdict is blocked."},
		{Kind: "caution", Says: "Do not accept a risk or suspend a PodDisruptionBudget without the consent of the owner of the workload."},
	}
	for _, o := range d.Outages {
		a.Rest = append(a.Rest, outageItem(o))
	}
	for _, s := range d.SideEffects {
		a.Rest = append(a.Rest, Item{Kind: "side-effect", Untrusted: Data{Says: s}})
	}
	a.Rest = append(a.Rest, pods...)
	a.Rest = append(a.Rest, Item{Kind: "undo", Says: "uncordons the nodes", Untrusted: Data{Commands: commands([]shell.Text{d.Uncordon()})}})
	return a
}

func waveSays(wave int) string {
	if wave == 0 {
		return ""
	}
	return fmt.Sprintf("evicted in wave %d", wave)
}

// riskOf returns the risk of the command of a plan.
func riskOf(v plan.Verdict) string {
	switch v {
	case plan.Clear:
		return "low"
	case plan.Slow:
		return "medium"
	}
	return "high"
}

// drainCommand returns the command that executes the plan.
func drainCommand(d *drain.Plan, opt ask.DrainOptions) shell.Text {
	out := "nodetriage drain " + shell.Words("node", d.Nodes...)
	for _, a := range opt.Accept {
		out += shell.Format(" --accept {risk}", string(a))
	}
	for _, s := range opt.Suspend {
		out += shell.Format(" --suspend-pdb {pdb}", s)
	}
	if opt.Surge {
		out += " --surge"
	}
	return out
}

func blockerItem(namespace, pod string, b drain.Blocker) Item {
	return Item{
		Kind: "blocker", ID: fmt.Sprint(b.Kind), Says: blockerSays[b.Kind],
		Untrusted: Data{Objects: []string{evidence.PodSubject(namespace, pod).String(), b.Name}, Says: b.Detail, Commands: commands(b.Unblock)},
	}
}

// blockerSays describes the kinds of blockers.
var blockerSays = map[drain.Kind]string{
	drain.Budget: "a PodDisruptionBudget rejects the eviction, or allows one pod after another", drain.Budgets: "several PodDisruptionBudgets select the pod, so the eviction API rejects it",
	drain.Webhook: "an admission webhook may reject the eviction", drain.Policy: "an admission policy rejects the eviction, or may",
	drain.Silent: "the kubelet does not answer, so nothing terminates the pod", drain.RuntimeDown: "the container runtime does not answer, so the kubelet cannot terminate the pod",
	drain.Unmanaged: "no controller creates the pod again", drain.Foreign: "it is unknown whether the owner of the pod creates it again",
	drain.LocalData: "the data of an emptyDir volume is lost", drain.HostData: "the data of a hostPath volume stays on the node",
	drain.LocalVolume: "the volume of the pod is on this node", drain.NoRoom: "no other node has capacity for the pod",
	drain.Overdue: "the kubelet has not terminated the deleted pod in time", drain.Finalizer: "the pod remains until its finalizer is removed",
	drain.Grace: "the pod may take long to terminate", drain.ComesBack: "the cordon does not keep the replacement away", drain.Unread: "evidence of possible blockers was not read",
}

// unblockItem returns the first command that unblocks the drain.
func unblockItem(d *drain.Plan) Item {
	for i := range d.Pods {
		for _, b := range d.Pods[i].Blockers {
			if len(b.Unblock) > 0 {
				return Item{
					Kind: "unblock", ID: fmt.Sprint(b.Kind), Says: "ask the owner of the workload first",
					Untrusted: Data{Objects: []string{d.Pods[i].Key()}, Says: listed(b.What, b.Harm), Commands: commands(b.Unblock)},
				}
			}
		}
	}
	return Item{Kind: "unblock", Says: "no command unblocks it: wait, or ask the owner of the workload"}
}

func outageItem(o drain.Outage) Item {
	i := Item{
		Kind: "outage", Says: "the workload has no ready pod for some time",
		Untrusted: Data{Objects: []string{joined(o.Namespace, o.Workload)}, Commands: commands(o.Avoid)},
	}
	if o.Lasts != nil {
		i.From, i.To = o.Lasts.From.String(), o.Lasts.To.String()
	}
	return i
}

func sortedCounts(of map[string]int) []Count {
	var out []Count
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, Count{name, of[name]})
	}
	return out
}

// pairs returns the entries of a map as text, sorted.
func pairs(of map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, name+"="+of[name])
	}
	return strings.Join(out, ", ")
}
