package drain

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// place checks where the replacements of pods with a controller fit. Without a board every answer is unknown.
func (b *builder) place(pods []*candidate) {
	var ask []*candidate
	for _, c := range pods {
		c.plan.Placement = placement.Unknown
		if c.replaced() {
			ask = append(ask, c)
			if change := b.Policies.Changed(c.pod); change != nil {
				b.add("the placement of the replacement for a pod of %s is unknown: %s", c.WorkloadName(c.pod), change)
			}
		}
	}
	if b.opt.Board == nil {
		return
	}
	if looked := placement.LookedOn(b.Snapshot); looked != "" && len(ask) > 0 {
		b.add("%s", looked)
	}
	list := make([]*evidence.Pod, 0, len(ask))
	for _, c := range ask {
		list = append(list, c.pod)
	}
	for i, answer := range placement.Evacuate(b.opt.Board.Once(b.Snapshot), list, b.opt.Nodes) {
		b.placed(ask[i], answer)
	}
}

// addCapacity returns how to add what a placement needs. A live cluster was asked already.
func (b *builder) addCapacity() string {
	if b.Data().Source.Kind == "cluster" {
		return ""
	}
	return ". To check: kubectl get nodes,pods -A -o json"
}

// placed records where the replacement of the pod fits.
func (b *builder) placed(c *candidate, answer placement.Answer) {
	if answer.Verdict == placement.Pending && b.OpenNodes() == 0 && b.Covers(evidence.Nodes) != evidence.Complete {
		return // only the nodes of the plan were read
	}
	if b.Policies.Changed(c.pod) != nil {
		return // the pod that waits for a node is not like this one
	}
	c.plan.Placement, c.lands = answer.Verdict, answer.Verdict
	if answer.Verdict == placement.Unknown && answer.Message != "" {
		b.add("the placement of the replacement for a pod of %s is unknown: %s%s", c.WorkloadName(c.pod), answer.Message, b.addCapacity())
	}
	if answer.Verdict != placement.Pending {
		return
	}
	c.plan.Message = answer.Message
	if c.has(LocalVolume) {
		return
	}
	c.Add(Blocker{
		Kind: NoRoom, Name: c.WorkloadName(c.pod), Detail: "the replacement fits on no other node: " + answer.Message,
		What:    "add capacity first",
		Unblock: []shell.Text{"nodetriage pools"},
		Harm:    "none (read-only): shows which pool can grow; then add a node or free capacity. If the pod is evicted anyway, it is Pending until there is capacity",
	})
}
