package plan

import (
	"slices"

	"github.com/nodetriage/nodetriage/mechanics"
)

// comesBack finds pods that the cordon does not keep away: those that tolerate it, and those whose template names
// a node, which no scheduler is asked about.
func (c *candidate) comesBack() {
	w := c.b.s.TopOwnerOf(c.pod)
	switch pinned := w != nil && w.Template != nil && slices.Contains(c.b.opt.Nodes, w.Template.NodeName); {
	case !c.replaced():
	case pinned:
		c.block(Blocker{
			Kind: ComesBack, Name: c.owner(), Detail: "the template of " + c.owner() + " names node " + w.Template.NodeName + ": each new pod is there again",
			Unblock: []string{command("kubectl get -n % % -o yaml", c.pod.Namespace, c.owner())},
			Harm:    "none by looking: take spec.nodeName out of the template",
		})
	case mechanics.ToleratesCordon(c.pod):
		c.block(Blocker{
			Kind: ComesBack, Name: c.owner(), Detail: c.owner() + " tolerates closed nodes, so its new pod may come back to this one", passing: true,
		})
	}
}
