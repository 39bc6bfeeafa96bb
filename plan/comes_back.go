package plan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// cordoned is the taint of a closed node.
var cordoned = corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}

// ToleratesCordon tells whether the scheduler may put such a pod on closed nodes.
func ToleratesCordon(pod *evidence.Pod) bool {
	return pod.Spec != nil && slices.ContainsFunc(pod.Spec.Tolerations, func(t corev1.Toleration) bool { return tolerates(&t, &cordoned) })
}

// tolerates mirrors Toleration.ToleratesTaint for a taint without a value.
func tolerates(t *corev1.Toleration, taint *corev1.Taint) bool {
	return (t.Effect == "" || t.Effect == taint.Effect) && (t.Key == "" || t.Key == taint.Key) &&
		(t.Operator == corev1.TolerationOpExists || (t.Operator == "" || t.Operator == corev1.TolerationOpEqual) && t.Key != "" && t.Value == "")
}

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
	case ToleratesCordon(c.pod):
		c.block(Blocker{
			Kind: ComesBack, Name: c.owner(), Detail: c.owner() + " tolerates closed nodes, so its new pod may come back to this one", passing: true,
		})
	}
}
