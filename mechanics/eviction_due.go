package mechanics

import (
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Never is a time that does not occur.
const Never = time.Duration(math.MaxInt64)

// Stay is how long a pod may stay on a node with NoExecute taints. Only one field is set; the zero value means that its
// timer has already expired.
type Stay struct {
	Now     bool          // a taint is not tolerated: evicted without a timer
	Forever bool          // the matching toleration has no tolerationSeconds
	For     time.Duration // since the start of the timer
}

// StayUnder returns how long a pod with these tolerations may stay under all of the taints. Only NoExecute taints
// evict. The first toleration that matches a taint counts, and of several taints the smallest tolerationSeconds
// (processPodOnNode and getMinTolerationTime of pkg/controller/tainteviction/taint_eviction.go, v1.36.3).
func StayUnder(tolerations []corev1.Toleration, taints []corev1.Taint) Stay {
	out := Stay{Forever: true}
	for i := range taints {
		if !Evicts(&taints[i]) {
			continue
		}
		t := TolerationOf(tolerations, &taints[i])
		if t == nil {
			return Stay{Now: true}
		}
		if t.TolerationSeconds == nil {
			continue
		}
		if s := Seconds(*t.TolerationSeconds); out.Forever || s < out.For {
			out.For = s
		}
		out.Forever = false
	}
	return out
}

// Held is a taint and the time during which a node has it.
type Held struct {
	Taint    corev1.Taint
	From, To time.Duration
}

// EvictionDue returns when the taint eviction controller deletes a pod that was bound at bound, or Never. A running
// timer is never changed, only cancelled, and the deletion of the Node object does not cancel it (processPodOnNode and
// handleNodeUpdate of pkg/controller/tainteviction/taint_eviction.go, v1.36.3).
func EvictionDue(tolerations []corev1.Toleration, taints []Held, bound, nodeGone time.Duration) time.Duration {
	var changes []time.Duration
	for _, h := range taints {
		changes = append(changes, max(h.From, bound))
		if h.To != Never {
			changes = append(changes, h.To)
		}
	}
	slices.Sort(changes)
	timer := Never
	for _, at := range slices.Compact(changes) {
		if timer <= at || at > nodeGone {
			return timer
		}
		var active []corev1.Taint
		for _, h := range taints {
			if h.From <= at && at < h.To {
				active = append(active, h.Taint)
			}
		}
		switch v := StayUnder(tolerations, active); {
		case v.Now:
			return at
		case v.Forever:
			timer = Never
		case timer == Never:
			timer = at + v.For
		}
	}
	return timer
}

// TaintedSince returns the start of the eviction timers: the time of the taint. If Ready changed between Unknown and
// False, the control plane swapped the unreachable and not-ready taints and the timers continued, so an older event has
// the time. Zero: unknown (processTaintBaseEviction of pkg/controller/nodelifecycle/node_lifecycle_controller.go,
// v1.36.3).
func TaintedSince(n *evidence.Node, t *corev1.Taint, events []*evidence.Event) time.Time {
	var since, unready time.Time
	if t.TimeAdded != nil {
		since = t.TimeAdded.UTC()
	}
	if !OfDeadNode(t) {
		return since
	}
	if c := n.Condition(corev1.NodeReady); c != nil && c.Status != corev1.ConditionTrue && !c.LastTransitionTime.IsZero() {
		unready = c.LastTransitionTime.UTC()
	}
	if since.IsZero() {
		since = unready
	}
	start := since
	for _, e := range events {
		switch e.Reason {
		case "NodeNotReady":
			// The latest change of Ready has an event too, at about that time.
			older := !e.First.IsZero() && !unready.IsZero() && e.First.Before(unready.Add(-2*time.Second))
			if older && e.First.Before(start) {
				start = e.First
			}
		case "NodeReady":
			start = since
		}
	}
	return start
}
