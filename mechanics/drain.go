package mechanics

import "github.com/nodetriage/nodetriage/evidence"

// Drain is the action of a drain for a pod.
type Drain string

// Actions of a drain. AwaitEnd: the pod is terminating.
const (
	Evict    Drain = "evict"
	Skip     Drain = "skip"
	AwaitEnd Drain = "wait"
)

// DrainOf returns the action of a drain for a pod, and the reason. Conditions, in this order:
//   - static pods stay: they come from a file on the node;
//   - the drain waits for terminating pods;
//   - running DaemonSet pods stay: their controller would recreate them on this node;
//   - all other pods are evicted, including completed ones.
//
// (daemonSetFilter and mirrorPodFilter of k8s.io/kubectl pkg/drain/filters.go, v0.36.3)
func DrainOf(p *evidence.Pod) (Drain, string) {
	switch r := Replaces(p); {
	case r == ByKubelet:
		return Skip, "static pod of the node"
	case p.Deleting():
		return AwaitEnd, "is Terminating"
	case r == OnSameNode && !p.Finished():
		return Skip, "DaemonSet " + p.Owner.Name
	case p.Finished():
		return Evict, "has terminated"
	case p.Owner != (evidence.Owner{}):
		return Evict, "of " + p.Owner.Kind + " " + p.Owner.Name
	case r == NotKnown:
		return Evict, "its controller is unknown"
	}
	return Evict, "has no controller"
}

// Loss is what the eviction of a pod loses permanently.
type Loss string

// Losses that a user can accept.
const (
	ThePod    Loss = "unmanaged"  // no controller recreates it
	LocalData Loss = "local-data" // the emptyDir is deleted with the pod, also one in memory
)

// Loses returns what an eviction of the pod loses permanently, as far as the pod shows it (unreplicatedFilter and
// localStorageFilter of k8s.io/kubectl pkg/drain/filters.go, v0.36.3).
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

// EmptyDirs returns the names of the emptyDir volumes of the pod.
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
