package mechanics

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/nodetriage/nodetriage/evidence"
)

// defaultSeconds is the default toleration of the not-ready and unreachable taints
// (plugin/pkg/admission/defaulttolerationseconds/admission.go, v1.36.3).
const defaultSeconds = int64(300)

// DaemonTolerations returns the tolerations of the pod, and those that the DaemonSet controller adds
// (AddOrUpdateDaemonPodTolerations of pkg/controller/daemon/util/daemonset_util.go, v1.36.3).
func DaemonTolerations(template *corev1.PodSpec) []corev1.Toleration {
	out := append(slices.Clone(template.Tolerations), untilRemoved(nil)...)
	keys := []string{corev1.TaintNodeDiskPressure, corev1.TaintNodeMemoryPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeUnschedulable}
	if template.HostNetwork {
		keys = append(keys, corev1.TaintNodeNetworkUnavailable)
	}
	for _, key := range keys {
		out = append(out, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule})
	}
	return out
}

// TolerationsOf returns the tolerations of the pod. If its spec is not in the evidence, it returns the defaults: a
// static pod tolerates every NoExecute taint, a DaemonSet pod the taints of a failed node forever, any other pod for
// 300 s (pkg/kubelet/config/common.go applyDefaults; DaemonTolerations; defaulttolerationseconds, v1.36.3).
func TolerationsOf(p *evidence.Pod) []corev1.Toleration {
	if p.Spec != nil {
		return p.Spec.Tolerations
	}
	switch Replaces(p) {
	case ByKubelet:
		return []corev1.Toleration{{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
	case OnSameNode:
		return untilRemoved(nil)
	}
	seconds := defaultSeconds
	return untilRemoved(&seconds)
}

// WrittenTolerations returns the tolerations from the manifest, without those of admission and the DaemonSet
// controller.
func WrittenTolerations(all []corev1.Toleration) []corev1.Toleration {
	seconds := defaultSeconds
	added := append(untilRemoved(&seconds), DaemonTolerations(&corev1.PodSpec{HostNetwork: true})...)
	return slices.DeleteFunc(slices.Clone(all), func(t corev1.Toleration) bool {
		return slices.ContainsFunc(added, func(x corev1.Toleration) bool { return equality.Semantic.DeepEqual(t, x) })
	})
}

// untilRemoved returns tolerations of a failed node for that time; nil: forever.
func untilRemoved(seconds *int64) []corev1.Toleration {
	var out []corev1.Toleration
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		out = append(out, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: seconds})
	}
	return out
}
