package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// Drain is what a drain does with a pod.
type Drain string

// What a drain does. AwaitEnd: the pod is going already.
const (
	Evict    Drain = "evict"
	Skip     Drain = "skip"
	AwaitEnd Drain = "wait"
)

// DrainOf tells what a drain does with a pod, and why. Conditions, in this order:
//   - the kubelet's own pods stay: they come from a file of the node;
//   - a pod that is being deleted is waited for;
//   - pods of DaemonSets stay while they run: their controller would make them again at once, on this node;
//   - everything else is evicted, also what has ended.
//
// (daemonSetFilter and mirrorPodFilter of k8s.io/kubectl pkg/drain/filters.go, v0.36.3)
func DrainOf(p *evidence.Pod) (Drain, string) {
	switch r := Replaces(p); {
	case r == ByKubelet:
		return Skip, "static pod of the node"
	case p.Deleting():
		return AwaitEnd, "is being deleted"
	case r == OnSameNode && !p.Finished():
		return Skip, "of DaemonSet " + p.Owner.Name
	case p.Finished():
		return Evict, "has ended"
	case p.Owner != (evidence.Owner{}):
		return Evict, "of " + p.Owner.Kind + " " + p.Owner.Name
	case r == NotKnown:
		return Evict, "its owner is not known"
	}
	return Evict, "has no owner"
}

// Loss is what the eviction of a pod loses for good.
type Loss string

// The losses, as a person accepts them.
const (
	ThePod    Loss = "unmanaged"  // nobody makes it again
	LocalData Loss = "local-data" // an emptyDir goes with it, also one in memory
)

// Loses lists what an eviction of the pod loses for good, as far as the pod alone tells
// (unreplicatedFilter and localStorageFilter of k8s.io/kubectl pkg/drain/filters.go, v0.36.3).
func Loses(p *evidence.Pod) []Loss {
	var out []Loss
	if p.Finished() || p.Partial {
		return nil
	}
	if Replaces(p) == NotReplaced {
		out = append(out, ThePod)
	}
	if len(EmptyDirs(p)) > 0 {
		out = append(out, LocalData)
	}
	return out
}

// EmptyDirs names the pod's emptyDir volumes.
func EmptyDirs(p *evidence.Pod) []string {
	if p.Spec == nil {
		return nil
	}
	var names []string
	for _, v := range p.Spec.Volumes {
		if v.EmptyDir != nil {
			names = append(names, v.Name)
		}
	}
	return names
}
