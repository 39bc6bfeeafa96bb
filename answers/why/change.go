package why

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// change is one hypothetical change, of the pod or of nodes.
type change struct {
	what     string
	commands []shell.Text
	pod      func(*corev1.PodSpec)
	node     []*corev1.Node // the changed nodes; a new name is an additional node
	reads    bool           // its commands change nothing
	direct   bool           // it changes the pod itself, not the template of its controller
	harm     string         // the risk of a change of the pod, and why
	last     []shell.Text   // commands after all others
}

// risk returns the risk of a change and why.
func (c change) risk() string {
	switch {
	case c.reads:
		return "none"
	case c.pod != nil:
		return c.harm
	case c.node[0].Name == FurtherNode:
		return "low, one more machine"
	}
	return "low, other pods can be scheduled on this node too"
}

// Limits on what is tried and shown.
const (
	maxChanges = 24
	maxPairs   = 60
	maxSteps   = 8
)

// remedies tries single changes and, only if none of them helps, pairs.
func (a *asker) remedies(c placement.Board, p *evidence.Pod, r placement.Answer) ([]Step, error) {
	trial, err := c.Clone()
	if err != nil {
		return nil, err
	}
	all := a.changes(trial, p, r)
	all = all[:min(len(all), maxChanges)]
	var out []Step
	for _, ch := range all {
		if nodes := try(trial, p, ch); len(nodes) > 0 {
			out = append(out, Step{What: ch.what, Risk: ch.risk(), Commands: slices.Concat(ch.commands, ch.last), Nodes: nodes})
		}
	}
	pairs := 0
	for i := 0; i < len(all) && len(out) == 0; i++ {
		for j := i + 1; j < len(all) && pairs < maxPairs; j++ {
			pairs++
			if nodes := try(trial, p, all[i], all[j]); len(nodes) > 0 {
				out = append(out, Step{
					What: all[i].what + ", and " + all[j].what, Risk: pairRisk(all[i], all[j]), Commands: pairCommands(all[i], all[j]), Nodes: nodes,
				})
			}
		}
	}
	return out[:min(len(out), maxSteps)], nil
}

// pairRisk returns the risks of two changes.
func pairRisk(a, b change) string {
	if a.risk() == b.risk() {
		return a.risk()
	}
	return a.risk() + "; then " + b.risk()
}

// pairCommands returns the commands of two changes. The pod is deleted once, after both.
func pairCommands(a, b change) []shell.Text {
	last := a.last
	if len(last) == 0 {
		last = b.last
	}
	return slices.Concat(a.commands, b.commands, last)
}

// try returns where the pod fits after the changes, and reverts them.
func try(c placement.Board, p *evidence.Pod, changes ...change) []string {
	like := *p
	like.Spec = p.Spec.DeepCopy()
	before := map[string]*corev1.Node{}
	for _, ch := range changes {
		if ch.pod != nil {
			ch.pod(like.Spec)
		}
		for _, n := range ch.node {
			if _, twice := before[n.Name]; !twice {
				before[n.Name] = c.Node(n.Name)
			}
			c.PutNode(n)
		}
	}
	r := c.Fit(&like)
	for name, n := range before {
		if n == nil {
			c.RemoveNode(name)
		} else {
			c.PutNode(n)
		}
	}
	return r.Feasible
}
