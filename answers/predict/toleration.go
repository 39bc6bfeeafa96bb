package predict

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// tolerationsOf are those of the pod, with what the scenario changes in them.
func (sim *simulation) tolerationsOf(p *evidence.Pod) []corev1.Toleration {
	list := mechanics.TolerationsOf(p)
	if sim.sc.TolerationSeconds == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if k := list[i].Key; list[i].TolerationSeconds != nil && (k == corev1.TaintNodeNotReady || k == corev1.TaintNodeUnreachable) {
			list[i].TolerationSeconds = sim.sc.TolerationSeconds
		}
	}
	return list
}
