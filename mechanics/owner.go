package mechanics

import (
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Replacement is how and when the owner of a pod replaces it.
type Replacement int

// Replacements.
const (
	NotReplaced Replacement = iota // no owner
	ByKubelet                      // a static pod: it comes from a file on its node, and the API has only a mirror pod
	AtDeletion                     // ReplicaSet and ReplicationController: when the pod is terminating
	WhenGone                       // StatefulSet: the next pod has the same name, so the old object must be deleted
	OnSameNode                     // DaemonSet: one pod per matching node, on the same node
	WhenFailed                     // Job: when the pod counts as failed, within the backoffLimit
	NotKnown                       // an operator, or the owner is not in the evidence
)

// kinds are the owners that Kubernetes itself creates pods for (pkg/controller/replicaset, statefulset, daemon and job;
// pkg/kubelet/pod/mirror_client.go; v1.36.3).
var kinds = map[string]Replacement{
	"": NotReplaced, "Node": ByKubelet, "Deployment": AtDeletion, "ReplicaSet": AtDeletion, "ReplicationController": AtDeletion,
	"StatefulSet": WhenGone, "DaemonSet": OnSameNode, "Job": WhenFailed,
}

// OfKind returns how a controller of that kind replaces its pods.
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

// Foreign reports whether the owner of a pod is an operator with unknown behavior.
func Foreign(p *evidence.Pod) bool { return OfKind(p.Owner.Kind) == NotKnown }

// Replaced reports whether a built-in controller recreates the pod, on this node or another.
func Replaced(p *evidence.Pod) bool {
	switch Replaces(p) {
	case AtDeletion, WhenGone, OnSameNode, WhenFailed:
		return true
	}
	return false
}

// TiedToNode reports whether the pod belongs to its node and cannot move.
func TiedToNode(p *evidence.Pod) bool {
	r := Replaces(p)
	return r == ByKubelet || r == OnSameNode
}

// RunsForEver reports whether the owner restarts pods that complete (restartPolicy must be Always;
// pkg/apis/apps/validation/validation.go, v1.36.3).
func RunsForEver(r Replacement) bool { return r == AtDeletion || r == WhenGone || r == OnSameNode }

// Copies reports whether the pods of a workload of that kind are interchangeable, so that an extra one is harmless.
// StatefulSet pods have stable names and volumes: an extra one starts without data.
func Copies(kind string) bool { return OfKind(kind) == AtDeletion }

// Scales reports whether a workload of that kind has a replica count.
func Scales(kind string) bool {
	r := OfKind(kind)
	return r == AtDeletion || r == WhenGone
}

// HashedOwner returns the owner of the pod's owner if the hash of a Deployment shows it: a Deployment adds the hash of its
// template to the name of its ReplicaSet and to the labels of the pods (getNewReplicaSet of pkg/controller/deployment/sync.go,
// v1.36.3). Otherwise it returns the owner of the pod.
func HashedOwner(p *evidence.Pod) evidence.Owner {
	hash := p.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
	name, hashed := strings.CutSuffix(p.Owner.Name, "-"+hash)
	if p.Owner.Kind != "ReplicaSet" || hash == "" || !hashed {
		return p.Owner
	}
	return evidence.Owner{Kind: "Deployment", Name: name}
}

// passing are the finalizers that built-in controllers remove (batchv1.JobTrackingFinalizer; FinalizerDeleteDependents
// and FinalizerOrphanDependents of apimachinery pkg/apis/meta/v1/types.go, v0.36.3).
var passing = []string{batchv1.JobTrackingFinalizer, metav1.FinalizerDeleteDependents, metav1.FinalizerOrphanDependents}

// LastingFinalizers returns the finalizers that a component outside of Kubernetes has to remove.
func LastingFinalizers(p *evidence.Pod) []string {
	var out []string
	for _, f := range p.Finalizers {
		if !slices.Contains(passing, f) {
			out = append(out, f)
		}
	}
	return out
}

// HeldByJobAlone reports whether only the Job finalizer blocks the deletion. The Job controller removes it after it has
// counted the pod (pkg/controller/job/tracking_utils.go, v1.36.3).
func HeldByJobAlone(p *evidence.Pod) bool {
	return Replaces(p) == WhenFailed && len(p.Finalizers) == 1 && p.Finalizers[0] == batchv1.JobTrackingFinalizer
}

// GoneByForce reports whether a deletion with a grace period of 0 removes the pod object without the kubelet: no
// lasting finalizer blocks it. It stops no container. A kubelet with a connection to the API server stops them when the
// object is deleted. On an unreachable node they keep running next to their replacement (BeforeDelete of
// k8s.io/apiserver pkg/registry/rest/delete.go, v0.36.3; CheckGracefulDelete of pkg/registry/core/pod/strategy.go,
// v1.36.3).
func GoneByForce(p *evidence.Pod) bool { return len(LastingFinalizers(p)) == 0 }
