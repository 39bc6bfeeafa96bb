package mechanics

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Holder is what blocks the deletion of a terminating pod.
type Holder string

// Holders. The last two concern only the object; with all others containers may still run.
const (
	HeldByNode      Holder = "node"      // the control plane has no heartbeat of the kubelet
	HeldByRuntime   Holder = "runtime"   // the kubelet reports, but its runtime does not answer
	HeldByGrace     Holder = "grace"     // the grace period has not ended
	HeldByKubelet   Holder = "kubelet"   // the grace period has ended, but the kubelet has not stopped the pod
	HeldByFinalizer Holder = "finalizer" // the kubelet has finished, but a finalizer blocks the deletion
	HeldByCollector Holder = "collector" // only the object is left, which a controller deletes
)

// Ending is the progress of the deletion of a pod.
type Ending struct {
	Holder Holder
	// Finalizers block the deletion, now or after the kubelet has finished.
	Finalizers []string
	// Over is the time since the end of the grace period; negative: it has not ended. Only valid if Dated.
	Over  time.Duration
	Dated bool
}

// Normal delays after the grace period. The clock of the evidence may also be slightly behind that of the API server.
const (
	kubeletMay    = time.Minute      // the kubelet unmounts and reports
	controllerMay = 10 * time.Second // a controller removes its finalizer
)

// Stuck reports whether the deletion does not complete without help.
func (e Ending) Stuck() bool {
	switch e.Holder {
	case HeldByNode, HeldByRuntime:
		return true
	case HeldByKubelet:
		return e.Over > kubeletMay
	case HeldByFinalizer:
		return !e.Dated || e.Over >= controllerMay
	}
	return false
}

// EndingIn returns what blocks the deletion of a pod in the snapshot.
func EndingIn(s *evidence.Snapshot, p *evidence.Pod, now time.Time) Ending {
	node := s.Node(p.Node)
	lost := node == nil && p.Node != "" && s.Covers(evidence.Nodes) == evidence.Complete
	return EndingOf(p, node, lost, now)
}

// EndingOf returns what blocks the deletion of the pod. node is nil if it is not in the evidence; lost: the node does
// not exist. Conditions, in this order:
//   - if the kubelet has finished or never had the pod, only finalizers block it;
//   - if the Node object does not exist, the pod garbage collector deletes the pod, and then only finalizers block it;
//   - on an unreachable node only the kubelet can confirm that the containers have stopped;
//   - a kubelet without a runtime cannot stop containers;
//   - containers may run until the end of the grace period; after it the kubelet is late.
//
// Without a deletion time the grace period counts as not ended, unless the node is not Ready.
func EndingOf(p *evidence.Pod, node *evidence.Node, lost bool, now time.Time) Ending {
	e := Ending{Finalizers: LastingFinalizers(p)}
	e.Over, e.Dated = overdue(p, now)
	if !e.Dated || e.Over >= controllerMay {
		e.Finalizers = p.Finalizers // also those that should be removed by now
	}
	switch {
	case kubeletFinished(p), lost:
		e.Holder = HeldByCollector
		if len(e.Finalizers) > 0 {
			e.Holder = HeldByFinalizer
		}
	default:
		e.Holder = e.holderOn(node)
	}
	return e
}

// overdue returns the time since the end of the grace period, negative before it; false: unknown.
func overdue(p *evidence.Pod, now time.Time) (time.Duration, bool) {
	if p.Deleted.IsZero() || now.IsZero() {
		return 0, false
	}
	over := -bounds.Until(now, p.Deleted)
	if p.Grace == 0 && over < -controllerMay {
		return 0, false // a deletion without grace predates this evidence
	}
	return over, true
}

// holderOn returns what blocks a pod that the kubelet of the node has to stop.
func (e Ending) holderOn(node *evidence.Node) Holder {
	if node != nil {
		switch {
		case node.Silent():
			return HeldByNode
		case RuntimeSilent(node):
			return HeldByRuntime
		case node.NotReady() && (!e.Dated || e.Over > 0):
			return HeldByNode
		}
	}
	if !e.Dated || e.Over <= 0 {
		return HeldByGrace
	}
	return HeldByKubelet
}

// kubeletFinished reports whether the kubelet has stopped the pod, or never had it. Its last request is a deletion with
// a grace period of 0, after all containers have stopped and volumes are unmounted. A forced deletion by a user also
// has no grace period and stops no container. Tables and describe output have no grace period, so terminated containers
// decide there (canBeDeleted and syncPod of pkg/kubelet/status/status_manager.go, v1.36.3).
func kubeletFinished(p *evidence.Pod) bool {
	switch {
	case p.Node == "":
		return !p.Partial
	case p.Partial:
		return p.Finished() || allEnded(p)
	}
	return p.Grace == 0 && !containerRuns(p)
}

// containerRuns reports whether the pod status has a running or restarting container.
func containerRuns(p *evidence.Pod) bool {
	if p.Finished() {
		return false
	}
	for _, c := range p.Containers {
		startedAgain := c.State == "waiting" && c.Restarts > 0 // between two restarts
		if c.State == "running" || startedAgain {
			return true
		}
	}
	return p.ReadyCount > 0
}

// allEnded reports whether all containers of the pod are known to be terminated.
func allEnded(p *evidence.Pod) bool {
	ended := 0
	for _, c := range p.Containers {
		if !c.Init && c.State == "terminated" {
			ended++
		}
	}
	return ended > 0 && ended == p.Total
}
