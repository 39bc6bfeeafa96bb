package drain

import (
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
)

// policy finds what the API server rejects: the cordon of the node, the eviction of the pod, and the deletion with which the
// kubelet removes a terminated pod.
func (c *candidate) policy() {
	n := c.Node(c.plan.Node)
	if c.plan.Action == Evict {
		if n != nil && !n.Spec.Unschedulable {
			c.Denied(admission.Cordon(n), "the node cannot be cordoned", true)
		}
		c.Denied(admission.Eviction(c.pod), "the eviction is rejected", true)
	}
	if !c.pod.Finished() && mechanics.EndsPods(n) {
		c.Denied(admission.LastDelete(c.pod), "it would stay Terminating after the eviction: its kubelet is not allowed to delete it", false)
	}
}
