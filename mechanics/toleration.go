package mechanics

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/nodetriage/nodetriage/evidence"
)

// Tolerates reports whether the toleration matches the taint:
//   - its effect is empty or that of the taint
//   - its key is empty or that of the taint
//   - its operator is Exists; or Equal, or none, and the values are equal; or Lt or Gt, and the taint's value is a number
//     below or above the toleration's
//
// (Toleration.ToleratesTaint of k8s.io/api core/v1/toleration.go, v0.36.3, which this calls.) Lt and Gt need the
// feature gate TaintTolerationComparisonOperators, alpha since 1.35. It counts as enabled: if disabled, the API server
// rejects pods that use them (pkg/api/pod/util.go allowTaintTolerationComparisonOperators, v1.36.3).
func Tolerates(toleration *corev1.Toleration, taint *corev1.Taint) bool {
	const comparison = true
	return toleration.ToleratesTaint(klog.Logger{}, taint, comparison) // the zero logger discards messages
}

// TolerationOf returns the first toleration that matches the taint, which is the one that counts; nil if none does
// (GetMatchingTolerations of pkg/apis/core/v1/helper/helpers.go, v1.36.3).
func TolerationOf(tolerations []corev1.Toleration, taint *corev1.Taint) *corev1.Toleration {
	for i := range tolerations {
		if Tolerates(&tolerations[i], taint) {
			return &tolerations[i]
		}
	}
	return nil
}

// Evicts reports whether the taint evicts pods that do not tolerate it. It also blocks new pods.
func Evicts(t *corev1.Taint) bool { return t.Effect == corev1.TaintEffectNoExecute }

// KeepsAway reports whether the taint blocks new pods. PreferNoSchedule only lowers the score of the node.
func KeepsAway(t *corev1.Taint) bool { return t.Effect == corev1.TaintEffectNoSchedule || Evicts(t) }

// OfDeadNode reports whether the taint is the not-ready or unreachable taint of the control plane
// (taintKeyToNodeConditionMap of pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36.3).
func OfDeadNode(t *corev1.Taint) bool {
	return Evicts(t) && (t.Key == corev1.TaintNodeUnreachable || t.Key == corev1.TaintNodeNotReady)
}

// Untolerated returns the first taint that blocks a pod with these tolerations, or nil (TaintToleration.Filter of
// pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go, v1.36.3).
func Untolerated(tolerations []corev1.Toleration, taints []corev1.Taint) *corev1.Taint {
	for i := range taints {
		if t := &taints[i]; KeepsAway(t) && TolerationOf(tolerations, t) == nil {
			return t
		}
	}
	return nil
}

// cordon is the taint of a cordoned node.
var cordon = corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}

// ToleratesCordon reports whether the scheduler may put the pod on cordoned nodes (NodeUnschedulable.Filter of
// pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go, v1.36.3).
func ToleratesCordon(pod *evidence.Pod) bool {
	return pod.Spec != nil && TolerationOf(pod.Spec.Tolerations, &cordon) != nil
}

// Discourages reports whether the taint only lowers the score of the node: PreferNoSchedule (TaintToleration.Score of
// pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go, v1.36.3).
func Discourages(t *corev1.Taint) bool { return t.Effect == corev1.TaintEffectPreferNoSchedule }
