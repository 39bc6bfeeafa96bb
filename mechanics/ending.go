package mechanics

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Holder is what a pod waits for whose deletion was requested.
type Holder string

// The holders. The last two concern the object alone; with all others containers of the pod may still run.
const (
	HeldByNode      Holder = "node"      // the control plane does not hear from the node's kubelet
	HeldByRuntime   Holder = "runtime"   // the kubelet reports, and its runtime does not answer
	HeldByGrace     Holder = "grace"     // the pod has time left to end
	HeldByKubelet   Holder = "kubelet"   // the grace period is over, and the kubelet has not ended the pod
	HeldByFinalizer Holder = "finalizer" // the kubelet has finished, and a finalizer keeps the object
	HeldByCollector Holder = "collector" // nothing of it is left but the object, which a controller removes
)

// Ending is how far the deletion of a pod has come.
type Ending struct {
	Holder Holder
	// Finalizers keep the object, now or once the kubelet has finished.
	Finalizers []string
	// Over is how long the grace period has been over; negative: it is not. Only where Dated.
	Over  time.Duration
	Dated bool
}

// How long after the grace period is no fault. The time of the evidence may also be a little behind that of the API server.
const (
	kubeletMay    = time.Minute      // the kubelet unmounts, and reports
	controllerMay = 10 * time.Second // a controller takes its finalizer away
)

// Stuck reports whether the deletion does not come to its end by itself.
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

// EndingIn returns what holds a pod that is being deleted, as the snapshot shows it.
func EndingIn(s *evidence.Snapshot, p *evidence.Pod, now time.Time) Ending {
	node := s.Node(p.Node)
	lost := node == nil && p.Node != "" && s.Covers(evidence.Nodes) == evidence.Complete
	return EndingOf(p, node, lost, now)
}

// EndingOf returns what holds the pod. node is nil where the evidence does not have it; lost: no such node exists any more.
// Conditions, in this order:
//   - a pod whose kubelet has finished, or that never had one, is held by its finalizers alone;
//   - a pod whose Node object is gone is removed by the garbage collector of pods, and then held by its finalizers alone;
//   - a pod on a node that is not heard from waits for the node: only its kubelet can confirm that the containers have ended;
//   - a kubelet without a runtime cannot end containers;
//   - until the grace period is over the containers may run, and after it the kubelet is late.
//
// Without the time of its deletion a pod counts as in its grace period, unless its node is not Ready.
func EndingOf(p *evidence.Pod, node *evidence.Node, lost bool, now time.Time) Ending {
	e := Ending{Finalizers: LastingFinalizers(p)}
	e.Over, e.Dated = overdue(p, now)
	if !e.Dated || e.Over >= controllerMay {
		e.Finalizers = p.Finalizers // also those that should have been taken away by now
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

// overdue returns how long the grace period of the pod is over, negative while it lasts; false: not known.
func overdue(p *evidence.Pod, now time.Time) (time.Duration, bool) {
	if p.Deleted.IsZero() || now.IsZero() {
		return 0, false
	}
	over := -bounds.Until(now, p.Deleted)
	if p.Grace == 0 && over < -controllerMay {
		return 0, false // without grace it was deleted before it was read: that time is not of this evidence
	}
	return over, true
}

// holderOn returns what holds a pod that the kubelet of the node has to end.
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

// kubeletFinished reports whether the kubelet has ended the pod, or never had it. Its last request is a deletion without grace, after
// it has reported that all containers ended and has unmounted the volumes; a person's forced deletion has no grace either, and ends
// no container. A table and a description do not show the grace: there the end of all containers has to do
// (canBeDeleted and syncPod of pkg/kubelet/status/status_manager.go, v1.36.3).
func kubeletFinished(p *evidence.Pod) bool {
	switch {
	case p.Node == "":
		return !p.Partial
	case p.Partial:
		return p.Finished() || allEnded(p)
	}
	return p.Grace == 0 && !containerRuns(p)
}

// containerRuns reports whether the pod's status has a container that runs, or is started again and again.
func containerRuns(p *evidence.Pod) bool {
	if p.Finished() {
		return false
	}
	for _, c := range p.Containers {
		startedAgain := c.State == "waiting" && c.Restarts > 0 // it runs by turns
		if c.State == "running" || startedAgain {
			return true
		}
	}
	return p.ReadyCount > 0
}

// allEnded reports whether all containers of the pod are known to have ended.
func allEnded(p *evidence.Pod) bool {
	ended := 0
	for _, c := range p.Containers {
		if !c.Init && c.State == "terminated" {
			ended++
		}
	}
	return ended > 0 && ended == p.Total
}
