package predict

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// tolerationsOf returns the pod's tolerations, with the changes of the scenario.
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
