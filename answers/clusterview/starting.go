package clusterview

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// startupTime is how long a pod may take to become ready before it counts as unhealthy.
const startupTime = 5 * time.Minute

// Starting counts the pods of the PodDisruptionBudget that will be ready soon: pods that are starting, and pods that their
// controller will create next.
func (v *View) Starting(pdb *evidence.PDB) int32 {
	var n, there int32
	held := PodsOf(v.Snapshot, pdb)
	for _, p := range held {
		if v.SoonReady(p) || v.soonBound(p) {
			n++
		}
		if !p.Finished() && !(p.Deleting() && mechanics.Replaces(p) == mechanics.AtDeletion) {
			there++
		}
	}
	if v.Covers(evidence.Pods) == evidence.Complete && len(held) > 0 && !slices.ContainsFunc(held, v.notMade) {
		n += max(0, pdb.Status.ExpectedPods-there)
	}
	return min(n, max(0, pdb.Status.ExpectedPods-pdb.Status.CurrentHealthy))
}

// notMade reports whether the pod's controller cannot create similar pods, or may not create any.
func (v *View) notMade(p *evidence.Pod) bool {
	if !mechanics.Scales(p.Owner.Kind) || v.DeadWebhook(p.Namespace, p.Labels) != nil {
		return true
	}
	for _, w := range []*evidence.Workload{v.OwnerOf(p), v.TopOwnerOf(p)} {
		if w == nil {
			return true
		}
		if slices.ContainsFunc(w.Conditions, func(c evidence.PodCondition) bool { return c.Type == "ReplicaFailure" && c.Status == "True" }) {
			return true
		}
		events := v.EventsOf(w.Subject())
		if slices.ContainsFunc(events, func(e *evidence.Event) bool { return e.Reason == "FailedCreate" && v.Now.Sub(e.Last) < startupTime }) {
			return true
		}
	}
	return false
}

// soonBound reports whether the pod was created just now and the scheduler has not reported yet that no node fits.
func (v *View) soonBound(p *evidence.Pod) bool {
	if p.Node != "" || p.Deleting() || p.Finished() || p.Partial {
		return false
	}
	scheduled := p.Condition("PodScheduled")
	return v.young(p) && (scheduled == nil || scheduled.Status != "False")
}

func (v *View) young(p *evidence.Pod) bool {
	return !p.Created.IsZero() && v.Now.Sub(p.Created) < startupTime
}

// SoonReady reports whether the pod is starting: it has a node, nothing fails in it, and it is young. A pod of a StatefulSet or
// Job that is terminating counts too, because its controller creates it again.
func (v *View) SoonReady(p *evidence.Pod) bool {
	node := v.Node(p.Node)
	switch {
	case p.Finished() || node == nil || !mechanics.EndsPods(node):
		return false
	case p.Deleting() && v.Ending(p).Stuck():
		return false
	case p.Deleting():
		r := mechanics.Replaces(p)
		return r == mechanics.WhenGone && len(p.Finalizers) == 0 || r == mechanics.WhenFailed
	case p.Ready == evidence.True || node.Spec.Unschedulable || slices.Contains(v.Closed, p.Node):
		return false
	}
	return p.Restarts == 0 && !failing(p) && v.young(p)
}

func failing(p *evidence.Pod) bool {
	for _, c := range p.Containers {
		if c.State == "waiting" && c.Reason != "" && c.Reason != "ContainerCreating" && c.Reason != "PodInitializing" {
			return true
		}
	}
	return false
}
