package drain

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// comesBack finds pods whose replacement the cordon does not keep away: those that tolerate it, and those whose template names
// a node, which bypasses the scheduler.
func (c *candidate) comesBack() {
	w := c.TopOwnerOf(c.pod)
	switch pinned := w != nil && w.Template != nil && slices.Contains(c.b.opt.Nodes, w.Template.NodeName); {
	case !c.replaced():
	case pinned:
		c.Add(Blocker{
			Kind: ComesBack, Name: c.WorkloadName(c.pod), Detail: "the template of " + c.WorkloadName(c.pod) + " requires node " + w.Template.NodeName + ": each new pod starts there again",
			What:    "see the template",
			Unblock: []shell.Text{shell.Format("kubectl get -n {namespace} {workload} -o yaml", c.pod.Namespace, c.WorkloadName(c.pod))},
			Harm:    "none (read-only); then remove spec.nodeName from the template",
		})
	case mechanics.ToleratesCordon(c.pod):
		c.Add(Blocker{
			Kind: ComesBack, Name: c.WorkloadName(c.pod), Detail: c.WorkloadName(c.pod) + " tolerates cordoned nodes, so its new pod may be scheduled to this one again", Passing: true,
		})
	}
}
