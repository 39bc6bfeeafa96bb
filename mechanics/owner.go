package mechanics

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Replacement says whether and when a pod's owner makes another one.
type Replacement int

// The ways in which owners replace pods.
const (
	NotReplaced Replacement = iota // nobody owns it
	ByKubelet                      // a static pod: it comes from a file of its node, and the API has only a mirror of it
	AtDeletion                     // ReplicaSet and ReplicationController: a pod counts until its deletion is requested
	WhenGone                       // StatefulSet: the next one has the same name, so the old object must be gone
	OnSameNode                     // DaemonSet: one for each node that it wants, on that node
	WhenFailed                     // Job: when the pod counts as failed, within its limits
	NotKnown                       // an operator's controller; or the owner was not read
)

// kinds are the owners that Kubernetes itself makes pods for
// (pkg/controller/replicaset, statefulset, daemon and job; pkg/kubelet/pod/mirror_client.go; v1.36.3).
var kinds = map[string]Replacement{
	"": NotReplaced, "Node": ByKubelet, "Deployment": AtDeletion, "ReplicaSet": AtDeletion, "ReplicationController": AtDeletion,
	"StatefulSet": WhenGone, "DaemonSet": OnSameNode, "Job": WhenFailed,
}

// OfKind is how a controller of that kind replaces its pods.
func OfKind(kind string) Replacement {
	if r, known := kinds[kind]; known {
		return r
	}
	return NotKnown
}

// Replaces returns how the pod's owner replaces it.
func Replaces(p *evidence.Pod) Replacement {
	switch r := OfKind(p.Owner.Kind); {
	case p.Mirror:
		return ByKubelet
	case r == NotReplaced && p.Partial:
		return NotKnown
	default:
		return r
	}
}

// Foreign reports whether a pod has an owner of which nobody here knows what its controller does: an operator's.
func Foreign(p *evidence.Pod) bool { return OfKind(p.Owner.Kind) == NotKnown }

// Replaced reports whether a controller of Kubernetes makes the pod again, on this node or elsewhere.
func Replaced(p *evidence.Pod) bool {
	switch Replaces(p) {
	case AtDeletion, WhenGone, OnSameNode, WhenFailed:
		return true
	}
	return false
}

// TiedToNode reports whether the pod belongs to its node: it is there because the node is, and moves nowhere.
func TiedToNode(p *evidence.Pod) bool {
	r := Replaces(p)
	return r == ByKubelet || r == OnSameNode
}

// RunsForEver reports whether the pods of the owner are to run without an end: one that ends well is made again all the same
// (restartPolicy must be Always; pkg/apis/apps/validation/validation.go, v1.36.3).
func RunsForEver(r Replacement) bool { return r == AtDeletion || r == WhenGone || r == OnSameNode }

// Copies reports whether the pods of a workload of that kind are copies of each other, so that one more does no harm. The pods of a
// StatefulSet are members, each with a name and volumes of its own: a second one begins with nothing.
func Copies(kind string) bool { return OfKind(kind) == AtDeletion }

// Scales reports whether a workload of that kind has a number of replicas of its own.
func Scales(kind string) bool {
	r := OfKind(kind)
	return r == AtDeletion || r == WhenGone
}

// passing are the finalizers that their controller takes away by itself
// (batchv1.JobTrackingFinalizer; FinalizerDeleteDependents and FinalizerOrphanDependents of apimachinery
// pkg/apis/meta/v1/types.go, v0.36.3).
var passing = []string{batchv1.JobTrackingFinalizer, metav1.FinalizerDeleteDependents, metav1.FinalizerOrphanDependents}

// LastingFinalizers are those that somebody outside of Kubernetes has to take away.
func LastingFinalizers(p *evidence.Pod) []string {
	var out []string
	for _, f := range p.Finalizers {
		if !slices.Contains(passing, f) {
			out = append(out, f)
		}
	}
	return out
}

// HeldByJobAlone reports whether nothing but its Job keeps the pod's object: the Job lets it go once it has counted it
// (pkg/controller/job/tracking_utils.go, v1.36.3).
func HeldByJobAlone(p *evidence.Pod) bool {
	return Replaces(p) == WhenFailed && len(p.Finalizers) == 1 && p.Finalizers[0] == batchv1.JobTrackingFinalizer
}

// GoneByForce reports whether a deletion with a grace period of 0 removes the pod's object without its kubelet: no lasting
// finalizer keeps it. It ends no container: a kubelet that still speaks to the API server ends them when it sees that the
// object is gone, any other lets them run on, unknown to the cluster, beside what replaces them
// (BeforeDelete of k8s.io/apiserver pkg/registry/rest/delete.go, v0.36.3; CheckGracefulDelete of
// pkg/registry/core/pod/strategy.go, v1.36.3).
func GoneByForce(p *evidence.Pod) bool { return len(LastingFinalizers(p)) == 0 }
