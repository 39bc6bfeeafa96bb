package plan

import (
	"github.com/nodetriage/nodetriage/admission"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// policy finds what the API server refuses by itself: the cordon of the node, the eviction of the pod, and the deletion by
// which the kubelet takes a pod away that has ended.
func (c *candidate) policy() {
	n := c.b.s.Node(c.plan.Node)
	if c.plan.Action == Evict {
		if n != nil && !n.Spec.Unschedulable {
			c.denied(admission.Cordon(n), "the node cannot be closed", true)
		}
		c.denied(admission.Eviction(c.pod), "the eviction is refused", true)
	}
	if !c.pod.Finished() && mechanics.EndsPods(n) {
		c.denied(admission.LastDelete(c.pod), "evicted, it would stay Terminating: its kubelet may not take it away", false)
	}
}

// denied notes who refuses a request of this drain, or may; of others' requests only the certain refusals.
func (c *candidate) denied(r admission.Request, so string, ours bool) {
	for _, refusal := range c.b.policies.Refusals(r) {
		x := Blocker{
			Kind: Policy, Name: refusal.Policy, Detail: so + ": " + refusal.String(),
			Unblock: []string{command("kubectl get validatingadmissionpolicy % -o yaml", refusal.Policy), command("kubectl get validatingadmissionpolicybinding % -o yaml", refusal.Binding)},
			Harm:    "none by looking: meet what the policy asks for, or let its owner except the pod; the drain asks again until then",
		}
		switch {
		case refusal.Certain:
		case !ours:
			continue // who asks is known, and what is missing is rarely what it looks at
		default:
			x.Detail = refusal.String()
			x.passing, x.Unblock = true, []string{c.b.drainWith("--dry-run=server")}
			x.Harm = "none: the API server asks its policies and keeps nothing"
		}
		c.block(x)
	}
}

// unreadAdmission notes that nobody knows what policies and webhooks refuse, and how to find out.
func (b *builder) unreadAdmission(pods []*candidate, how string) {
	if b.s.Data().Source.Kind != "cluster" {
		return
	}
	if b.s.Covers(evidence.Webhooks) == evidence.NotRead {
		b.notChecked(pods, "whether a webhook refuses evictions", "webhook configurations were not read", how)
	}
	if b.s.Covers(evidence.Policies) != evidence.Complete {
		b.notChecked(pods, "whether an admission policy refuses evictions", "admission policies and their bindings were not read", how)
	}
	if b.s.Covers(evidence.Mutations) != evidence.Complete {
		b.add("whether a MutatingAdmissionPolicy changes new pods, and so where they go, is not known: those of the cluster could not be read")
	}
	b.plan.AskFirst = len(b.plan.NotChecked) > 0 // unless something else is not known either
}
