package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// pending: the pod has no node.
func (a *asker) pending(p *evidence.Pod, out *Pod) error {
	out.State, out.Verdict, out.Waits = Pending, Stuck, "scheduler"
	said := a.said(p)
	if said.Text != "" {
		out.Because = []Fact{said}
	}
	switch {
	case p.Spec == nil:
		out.Verdict = Unknown
		out.Summary = "is not scheduled" + because(said.Text)
		out.Do = []Step{{What: "add the complete objects to check where it fits", Commands: []shell.Text{"kubectl get pods,nodes -A -o yaml"}}}
		return nil
	case len(p.Spec.SchedulingGates) > 0:
		var gates []string
		for _, g := range p.Spec.SchedulingGates {
			gates = append(gates, g.Name)
		}
		out.State, out.Waits = Gated, "controller"
		out.Summary = "is not scheduled because of scheduling gate " + strings.Join(gates, ", ") + "; the controller that set it must remove it"
		return nil
	case len(a.s.Data().Nodes) == 0 && a.s.Covers(evidence.Nodes) != evidence.Complete:
		out.Verdict = Unknown
		out.Summary = "is not scheduled" + because(said.Text)
		out.Do = []Step{{What: "add the nodes to check where it fits", Commands: []shell.Text{"kubectl get nodes -o yaml"}}}
		return nil
	}
	c, err := a.placement()
	if err != nil {
		return err
	}
	r := c.Fit(p)
	unsure := placement.Unsure(a.s)
	if part := a.s.Incomplete(evidence.Leases); unsure == "" && len(part) > 0 { // whether the nodes are reachable
		unsure = part[0].Title() + ": " + part[0].Why
	}
	if unsure != "" {
		out.Verdict = Unknown
		out.Summary = "is not scheduled" + because(said.Text) + "; it is unknown where it fits: " + unsure
		return nil
	}
	out.Scheduling = scheduling(r, said.Text, len(c.Nodes()))
	out.Scheduling.Insufficient = insufficient(r)
	out.Scheduling.Asks = asks(c, p, out.Scheduling.Insufficient, short(c, r))
	for _, u := range r.Unknown {
		out.Because = append(out.Because, Fact{Source: "not checked", Text: u})
	}
	if r.Verdict == placement.Fits {
		a.fits(p, r, said, out)
		return nil
	}
	pre := c.Preempt(p)
	out.Scheduling.Message = strings.TrimSpace(r.Message + " " + pre.Message)
	if pre.Node != "" {
		out.Scheduling.Preempts = preemption(pre)
		out.Verdict = Waiting
		out.Summary = fmt.Sprintf("fits on no node now; it can preempt %s on %s", wording.List(out.Scheduling.Preempts.Victims), pre.Node)
	} else {
		out.Summary = fmt.Sprintf("fits on no node (%d checked)", len(c.Nodes())) + a.waited(p) + because(mainReasons(c, p, out.Scheduling.Refused))
		if node := mechanics.OnlyNode(p.Spec); node != "" {
			out.Summary = "can only run on node " + node + ", " + a.refusedOn(node, r)
		}
	}
	out.Do, err = a.remedies(c, p, r)
	return err
}

// waited returns how long the pod has been unschedulable.
func (a *asker) waited(p *evidence.Pod) string {
	if p.Created.IsZero() || !a.now.After(p.Created) {
		return ""
	}
	return ", Pending for " + wording.Duration(a.now.Sub(p.Created))
}

// refusedOn returns why the pod does not fit on the only node that it may run on.
func (a *asker) refusedOn(node string, r placement.Answer) string {
	i := slices.IndexFunc(r.Refusals, func(f placement.Refusal) bool { return f.Node == node })
	switch {
	case i >= 0:
		return "which does not accept it" + because(strings.Join(r.Refusals[i].Reasons, ", "))
	case a.s.Covers(evidence.Nodes) == evidence.Complete:
		return "which does not exist"
	}
	return "which is not in the evidence"
}

// said returns the scheduler's last message about the pod in the cluster.
func (a *asker) said(p *evidence.Pod) Fact {
	if c := p.Condition(string(corev1.PodScheduled)); c != nil && c.Message != "" {
		return Fact{Source: "condition PodScheduled=" + c.Status, Text: c.Message, At: c.Since}
	}
	if w := a.warnings(p.Subject(), "FailedScheduling"); len(w) > 0 {
		return w[0]
	}
	return Fact{}
}

// fits: there is capacity, so something else blocks the pod.
func (a *asker) fits(p *evidence.Pod, r placement.Answer, said Fact, out *Pod) {
	where := fmt.Sprintf("fits on %s", wording.Some(r.Feasible))
	out.Verdict = Waiting
	switch {
	case len(r.Unknown) > 0:
		out.Verdict = Unknown
		out.Summary = where + ", but this was not checked: " + strings.Join(r.Unknown, "; ")
	case p.Nominated != "":
		out.Summary = fmt.Sprintf("%s; the scheduler has nominated %s and waits until the preempted pods are deleted", where, p.Nominated)
	case said.Text != "":
		out.Summary = where + " now; the scheduler will retry within 5m"
	case a.now.Sub(p.Created) > time.Minute && !p.Created.IsZero():
		out.Verdict = Stuck
		out.Summary = fmt.Sprintf("%s, but no scheduler has handled it for %s: check that the scheduler is running", where, wording.Duration(a.now.Sub(p.Created)))
		out.Do = []Step{{What: "check that the scheduler is running", Commands: []shell.Text{"kubectl -n kube-system get lease kube-scheduler -o yaml"}}}
	default:
		out.Summary = where + "; the scheduler has not handled it yet"
	}
}

func scheduling(r placement.Answer, reported string, nodes int) *Scheduling {
	s := &Scheduling{Message: r.Message, Reported: reported, Nodes: nodes, Feasible: r.Feasible, Refused: []Group{}}
	if s.Feasible == nil {
		s.Feasible = []string{}
	}
	at := map[string]int{}
	for _, f := range r.Refusals {
		key := f.Plugin + "\x00" + strings.Join(f.Reasons, "\x00")
		i, ok := at[key]
		if !ok {
			i = len(s.Refused)
			at[key] = i
			s.Refused = append(s.Refused, Group{Plugin: f.Plugin, Reasons: f.Reasons, Lasting: f.Lasting})
		}
		s.Refused[i].Nodes = append(s.Refused[i].Nodes, f.Node)
	}
	slices.SortStableFunc(s.Refused, func(a, b Group) int { return cmp.Compare(len(b.Nodes), len(a.Nodes)) })
	return s
}

// mainReasons returns the messages that excluded most nodes.
func mainReasons(c placement.Board, p *evidence.Pod, groups []Group) string {
	var out []string
	for _, g := range groups[:min(len(groups), 3)] {
		text, where := strings.Join(g.Reasons, ", "), wording.Count(len(g.Nodes), "node")
		if names := keepingTaints(c, p, g); len(names) > 0 {
			text = "untolerated taint " + wording.First(names, 2)
			if len(g.Nodes) == 1 {
				where = "node " + g.Nodes[0]
			}
		}
		out = append(out, fmt.Sprintf("%s (%s)", text, where))
	}
	return strings.Join(out, "; ")
}

// keepingTaints returns the taints that keep the pod away from these nodes, each once. The scheduler's message does not name them.
func keepingTaints(c placement.Board, p *evidence.Pod, g Group) []string {
	var out []string
	for _, name := range g.Nodes {
		n := c.Node(name)
		if g.Plugin != "TaintToleration" || n == nil {
			continue
		}
		t := mechanics.Untolerated(p.Spec.Tolerations, n.Spec.Taints)
		if t != nil && !slices.Contains(out, t.ToString()) {
			out = append(out, t.ToString())
		}
	}
	return out
}

func preemption(p placement.Preemption) *Preemption {
	out := &Preemption{Node: p.Node, Violates: p.Violates}
	for _, v := range p.Victims {
		out.Victims = append(out.Victims, v.Key())
	}
	return out
}
