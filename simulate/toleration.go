package simulate

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// tolerationsOf are those of the pod, with what the scenario changes in them. A pod whose spec was not read has
// those that it gets by default.
func (w *world) tolerationsOf(p *evidence.Pod) []corev1.Toleration {
	var list []corev1.Toleration
	switch {
	case p.Spec != nil:
		list = p.Spec.Tolerations
	case p.Mirror || p.Owner.Kind == "Node":
		list = []corev1.Toleration{{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
	case p.Owner.Kind == "DaemonSet":
		list = defaultTolerations(nil)
	default:
		seconds := defaultSeconds
		list = defaultTolerations(&seconds)
	}
	if w.sc.TolerationSeconds == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if k := list[i].Key; list[i].TolerationSeconds != nil && (k == corev1.TaintNodeNotReady || k == corev1.TaintNodeUnreachable) {
			list[i].TolerationSeconds = w.sc.TolerationSeconds
		}
	}
	return list
}

// defaultTolerations are those of admission (plugin/pkg/admission/defaulttolerationseconds) and, without
// seconds, of the DaemonSet controller (pkg/controller/daemon/util, v1.36.3).
func defaultTolerations(seconds *int64) []corev1.Toleration {
	var out []corev1.Toleration
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		out = append(out, corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: seconds,
		})
	}
	return out
}
