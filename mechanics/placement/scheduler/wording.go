package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumerestrictions"

	"github.com/nodetriage/nodetriage/mechanics"
)

// wording is the minor version of the cluster, 1.x, for the format of messages; 0: unknown, uses the current format.
type wording int

// wordingOf parses "v1.33.4-gke.100".
func wordingOf(server string) wording {
	minor, _, _ := strings.Cut(strings.TrimPrefix(server, "v1."), ".")
	n, err := strconv.Atoi(minor)
	if err != nil || !strings.HasPrefix(server, "v1.") {
		return 0
	}
	return wording(n)
}

// before reports whether the cluster is known to be older than 1.minor.
func (w wording) before(minor wording) bool { return w != 0 && w < minor }

// limit removes from the profile what the version does not have.
func (w wording) limit(p *config.KubeSchedulerProfile) {
	if w.before(36) {
		p.Plugins.MultiPoint.Enabled = slices.DeleteFunc(p.Plugins.MultiPoint.Enabled, func(e config.Plugin) bool {
			return e.Name == names.NodeDeclaredFeatures
		})
	}
}

// reasons returns the reasons of the status in the format of the version.
func (w wording) reasons(s *fwk.Status, pod *corev1.Pod, n *corev1.Node) []string {
	out := slices.Clone(s.Reasons())
	for i, r := range out {
		switch {
		case s.Plugin() == names.TaintToleration && w.before(34):
			out[i] = untolerated(pod, n)
		case r == string(volumebinding.ErrReasonNodeConflict) && w.before(33):
			out[i] = "node(s) had volume node affinity conflict"
		case r == volumerestrictions.ErrReasonReadWriteOncePodConflict && w.before(34):
			out[i] = "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"
		}
	}
	return out
}

// absent returns the status of nodes that no filter evaluated. They were not counted up to 1.31.
func (w wording) absent(s *fwk.Status) *fwk.Status {
	if w.before(32) {
		return fwk.NewStatus(s.Code())
	}
	return s
}

// untolerated returns the taint in the format of TaintToleration up to 1.33, and in 1.34.0 (Filter of
// kubernetes/kubernetes pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go, v1.33.13, v1.34.0 and
// v1.34.2).
func untolerated(pod *corev1.Pod, n *corev1.Node) string {
	t := mechanics.Untolerated(pod.Spec.Tolerations, n.Spec.Taints)
	return fmt.Sprintf("node(s) had untolerated taint {%s: %s}", t.Key, t.Value)
}

// preemptible returns the status with which preemption decides whether to try the node. Up to 1.33 it also tried nodes
// that are too small for the pod without others (Filter of kubernetes/kubernetes
// pkg/scheduler/framework/plugins/noderesources/fit.go, v1.33.13 and v1.34.4).
func (w wording) preemptible(s *fwk.Status) *fwk.Status {
	if w.before(34) && s.Code() == fwk.UnschedulableAndUnresolvable && s.Plugin() == names.NodeResourcesFit {
		return fwk.NewStatus(fwk.Unschedulable, s.Reasons()...)
	}
	return s
}

// afterClaims puts the message of DynamicResources, which runs before preemption, in front of the preemption message:
// from 1.34 to 1.36. It mirrors PostFilter of kubernetes/kubernetes
// pkg/scheduler/framework/plugins/dynamicresources/dynamicresources.go, v1.36.3 and v1.37.2.
func (w wording) afterClaims(preemption string) string {
	if w.before(34) || w >= 37 {
		return preemption
	}
	return "no new claims to deallocate, " + preemption
}

// nominated returns the scheduler message since 1.37 for a successful preemption (Preempt of kubernetes/kubernetes
// pkg/scheduler/framework/preemption/preemption.go, v1.37.2).
func (w wording) nominated(node string, victims int) string {
	if w < 37 {
		return ""
	}
	return fmt.Sprintf("preemption: found a potential placement for pod on node %s, preempting %d victims", node, victims)
}
