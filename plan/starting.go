package plan

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// patience is how long a pod may take to become ready before it counts as sick.
const patience = 5 * time.Minute

// starting counts the budget's pods that will be ready soon: those that start, and those that their controller is about
// to make.
func (b *builder) starting(pdb *evidence.PDB) int32 {
	var n, there int32
	held := b.held(pdb)
	for _, p := range held {
		if b.soonReady(p) || b.soonBound(p) {
			n++
		}
		if !p.Finished() && !(p.Deleting() && mechanics.Replaces(p) == mechanics.AtDeletion) {
			there++
		}
	}
	if b.s.Covers(evidence.Pods) == evidence.Complete && len(held) > 0 && !slices.ContainsFunc(held, b.notMade) {
		n += max(0, pdb.Status.ExpectedPods-there)
	}
	return min(n, max(0, pdb.Status.ExpectedPods-pdb.Status.CurrentHealthy))
}

// notMade reports whether the pod's controller is kept from making others like it, or not known to make any.
func (b *builder) notMade(p *evidence.Pod) bool {
	if !mechanics.Scales(p.Owner.Kind) || b.deadWebhook(p.Namespace, p.Labels) != nil {
		return true
	}
	for _, w := range []*evidence.Workload{b.s.OwnerOf(p), b.s.TopOwnerOf(p)} {
		if w == nil {
			return true
		}
		if slices.ContainsFunc(w.Conditions, func(c evidence.PodCondition) bool { return c.Type == "ReplicaFailure" && c.Status == "True" }) {
			return true
		}
		events := b.s.EventsOf(w.Subject())
		if slices.ContainsFunc(events, func(e *evidence.Event) bool { return e.Reason == "FailedCreate" && b.opt.Now.Sub(e.Last) < patience }) {
			return true
		}
	}
	return false
}

// soonBound reports whether the pod was made a moment ago and the scheduler has not said yet that it has no node for it.
func (b *builder) soonBound(p *evidence.Pod) bool {
	if p.Node != "" || p.Deleting() || p.Finished() || p.Partial {
		return false
	}
	scheduled := p.Condition("PodScheduled")
	return b.young(p) && (scheduled == nil || scheduled.Status != "False")
}

func (b *builder) young(p *evidence.Pod) bool {
	return !p.Created.IsZero() && b.opt.Now.Sub(p.Created) < patience
}

// soonReady reports whether the pod is starting: it has a node, nothing fails in it, and it is young; or it is
// going, of a StatefulSet or Job, which makes it again when it is gone.
func (b *builder) soonReady(p *evidence.Pod) bool {
	node := b.s.Node(p.Node)
	switch {
	case p.Finished() || node == nil || !mechanics.EndsPods(node):
		return false
	case p.Deleting():
		r := mechanics.Replaces(p)
		return r == mechanics.WhenGone && len(p.Finalizers) == 0 || r == mechanics.WhenFailed
	case p.Ready == evidence.True || node.Spec.Unschedulable || slices.Contains(b.opt.Nodes, p.Node):
		return false
	}
	return p.Restarts == 0 && !failing(p) && b.young(p)
}

func failing(p *evidence.Pod) bool {
	for _, c := range p.Containers {
		if c.State == "waiting" && c.Reason != "" && c.Reason != "ContainerCreating" && c.Reason != "PodInitializing" {
			return true
		}
	}
	return false
}
