package clusterview

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// OnlyReplica reports whether the workload has a single replica, so that it is down while its pod is replaced.
func OnlyReplica(w *evidence.Workload) bool { return w.Replicas == 1 && mechanics.Scales(w.Kind) }

// Interrupts returns the pods of each workload that has no ready pod while these pods are evicted together, in the order of
// their first pods.
func (v *View) Interrupts(evicted []*evidence.Pod) [][]*evidence.Pod {
	var order []evidence.Owner
	pods := map[evidence.Owner][]*evidence.Pod{}
	for _, p := range evicted {
		o := v.TopOwner(p)
		if !mechanics.Scales(o.Kind) || p.Ready == evidence.False {
			continue
		}
		if pods[o] == nil {
			order = append(order, o)
		}
		pods[o] = append(pods[o], p)
	}
	var out [][]*evidence.Pod
	for _, o := range order {
		if v.last(o, pods[o]) {
			out = append(out, pods[o])
		}
	}
	return out
}

// last reports whether the workload has no ready pod other than these.
func (v *View) last(o evidence.Owner, pods []*evidence.Pod) bool {
	if w := v.TopOwnerOf(pods[0]); w != nil && w.Replicas > 0 && w.Replicas <= len(pods) {
		return true
	}
	others := len(v.ready[o]) > len(pods)
	return v.Covers(evidence.Pods) == evidence.Complete && len(v.ready[o]) > 0 && !others
}
