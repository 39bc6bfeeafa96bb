package predict

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// outcome is what happens to one pod in one run.
type outcome struct {
	unready, readyAgain time.Duration
	deleted             time.Duration // its deletion is requested
	gone                time.Duration // the object is removed
	failed              time.Duration // a shutdown has terminated it
	ended               time.Duration // gone, or in a final phase: a finalizer may block the deletion of the object
	replaced            time.Duration // its controller creates another one
	starts              time.Duration // and its volumes are free
	kind                ReplacementKind
	deletedBy, goneBy   cause
}

// cause is why a pod is deleted or gone.
type cause int

const (
	noCause cause = iota
	byTaint
	byDaemonSet
	bySomebody // before the event
	byUser
	byOrphanGC
	byOutOfServiceGC
	byKubelet
	byReturn // the kubelet, after its return
	atOnce   // a terminated pod needs no kubelet
	byOwner  // the controller of a pod that a shutdown has terminated
	byLoss   // its owner, the Node object, is deleted
)

// followPod simulates a pod until its object is removed. The reaction of its controller depends on the outcomes of other pods,
// and is simulated later.
func (sim *simulation) followPod(p *evidence.Pod, m *simNode, tl *nodeTimeline, x extremes, queue *queues) *outcome {
	o := &outcome{unready: never, readyAgain: never, deleted: never, gone: never, failed: never, ended: never, replaced: never, starts: never}
	o.failed = sim.failedAt(p, m, x)
	if !p.Finished() {
		sim.readiness(p, m, tl, x, queue, o)
	}
	sim.deletion(p, m, tl, x, queue, o)
	sim.removal(p, m, tl, x, o)
	if o.deleted <= o.readyAgain {
		o.readyAgain = never
	}
	return o
}

// readiness: the pass that finds the node lost sets PodReady=False on its pods, one after the other (MarkPodsNotReady of
// kubernetes pkg/controller/util/node/controller_utils.go, v1.36.3). Returning kubelets start the containers of a machine that
// was off, and report those that kept running.
func (sim *simulation) readiness(p *evidence.Pod, m *simNode, tl *nodeTimeline, x extremes, queue *queues, o *outcome) {
	switch {
	case p.Ready == evidence.False && !m.unready.known:
		return // for another reason
	case m.shutdown:
		o.unready = o.failed
	case m.unready.known && p.Ready == evidence.False:
		o.unready = sim.since(p.ReadySince) + pick(x.late, 0, secondsOfAPI)
	case tl.unready != never && m.silent != never: // a kubelet that sends heartbeats reports its pods
		o.unready = max(tl.unready, sim.start()) + pick(x.late, 0, queue.notReady())
	}
	switch {
	case m.back == never:
	case m.halts:
		if o.unready == never {
			o.unready = m.back + pick(x.backLate, 0, startup)
		}
		o.readyAgain = tl.ready // plus the start of its containers
	case o.unready != never:
		o.readyAgain = m.back + pick(x.backLate, 0, 2*statusSync)
	}
}

// deletion: by a timer of the taint eviction controller, the DaemonSet controller, a user, the garbage collector, or before the
// event.
func (sim *simulation) deletion(p *evidence.Pod, m *simNode, tl *nodeTimeline, x extremes, queue *queues, o *outcome) {
	if p.Deleting() {
		o.deleted, o.deletedBy = sim.askedAt(p, x), bySomebody
		return
	}
	sim.evictedByTaint(p, m, tl, x, queue, o)
	if sim.act == forceDelete || sim.act == deletePods {
		if asked := sim.now + pick(x.late, 0, apiLag); !mechanics.TiedToNode(p) && asked < o.deleted {
			o.deleted, o.deletedBy = asked, byUser
		}
	}
	if at := o.deletedByOwner(p, x); at < o.deleted {
		o.deleted, o.deletedBy = at, byOwner
	}
	if mechanics.Replaces(p) == mechanics.ByKubelet && m.deleted != never {
		// Dependents are deleted with their owner (pkg/controller/garbagecollector/garbagecollector.go, attemptToDeleteItem,
		// v1.36.3).
		if at := sim.resumes(m.deleted+pick(x.late, 0, apiLag), x); at < o.deleted {
			o.deleted, o.deletedBy = at, byLoss
		}
	}
	if swept := sim.orphansCollected(m, x); swept < o.deleted {
		o.deleted, o.deletedBy = swept, byOrphanGC
	}
}

// evictedByTaint: the taint eviction controller deletes a pod when its tolerations expire.
func (sim *simulation) evictedByTaint(p *evidence.Pod, m *simNode, tl *nodeTimeline, x extremes, queue *queues, o *outcome) {
	bound := always
	if !p.Created.IsZero() && !sim.zero.IsZero() {
		bound = sim.since(p.Created)
	}
	at := mechanics.EvictionDue(sim.tolerationsOf(p), tl.taints, bound, m.deleted)
	if at == never {
		return
	}
	o.deleted, o.deletedBy = max(at+pick(x.late, 0, queue.evict()), sim.now), byTaint
	if mechanics.Replaces(p) == mechanics.OnSameNode && !sim.staysDaemon(p, at, m, tl) {
		o.deletedBy = byDaemonSet
	}
}

// askedAt returns when the deletion of a pod was requested. Its deletionTimestamp is later by the grace period, and is
// truncated to seconds.
func (sim *simulation) askedAt(p *evidence.Pod, x extremes) time.Duration {
	if p.Deleted.IsZero() {
		return sim.now
	}
	return seen{sim.since(p.Deleted.Add(-mechanics.Seconds(p.Grace))), true}.pick(x.late, sim.made)
}

// removal: who removes the object of a deleted pod. The end of the grace period alone removes nothing (kubernetes
// pkg/controller/podgc/gc_controller.go; pkg/kubelet/status/status_manager.go, v1.36.3).
func (sim *simulation) removal(p *evidence.Pod, m *simNode, tl *nodeTimeline, x extremes, o *outcome) {
	if o.deleted == never {
		return
	}
	from := max(o.deleted, sim.start())
	sooner := func(at time.Duration, by cause) {
		if at < o.ended {
			o.ended, o.goneBy = at, by
		}
	}
	switch {
	case o.deletedBy == byOrphanGC: // with a grace period of 0
		sooner(from, byOrphanGC)
	case p.Finished() && !p.Deleting():
		sooner(from, atOnce)
	case o.failed != never: // the kubelet terminates it before it stops
		sooner(max(from, o.failed), atOnce)
	}
	if sim.act == forceDelete && !mechanics.TiedToNode(p) {
		sooner(max(from, sim.now), byUser)
	}
	sooner(sim.endedByKubelet(p, m, x, o, from))
	if at := sim.orphansCollected(m, x); at != never {
		sooner(max(at, from), byOrphanGC)
	}
	sooner(sim.outOfServiceCollected(m, tl, x, from), byOutOfServiceGC)
	switch {
	case len(p.Finalizers) == 0:
		o.gone = o.ended
	case mechanics.HeldByJobAlone(p): // as soon as its Job has counted it
		o.gone = plus(o.ended, pick(x.late, 0, jobSync))
	}
}

// endedByKubelet returns when the kubelet has terminated a pod that is deleted at that time, and removes it; never: it does
// not.
func (sim *simulation) endedByKubelet(p *evidence.Pod, m *simNode, x extremes, o *outcome, from time.Duration) (time.Duration, cause) {
	works := m.silent == never && m.back == never
	overdue := from > o.deleted+mechanics.Seconds(p.Grace)+time.Minute
	switch at := m.actsFrom(from); {
	case at == never, m.shutdown:
		return never, byKubelet
	case p.Deleting() && works && overdue: // something else blocks it
		return never, byKubelet
	case at == from:
		return at + pick(x.backLate, 0, mechanics.GracePeriod(p)+termination), byKubelet
	case m.halts:
		return at + pick(x.backLate, 0, startup), byReturn
	default: // its containers may have kept running
		return at + pick(x.backLate, 0, startup+mechanics.GracePeriod(p)), byReturn
	}
}

// outOfServiceCollected returns when the garbage collector removes the pods of a node with the out-of-service taint; never: it
// does not.
func (sim *simulation) outOfServiceCollected(m *simNode, tl *nodeTimeline, x extremes, from time.Duration) time.Duration {
	if m.outOfService == never {
		return never
	}
	least := max(from, m.outOfService, tl.unready)
	if begin, end := sim.outage(x); least < end && plus(least, gcPeriod) > begin {
		least = end
	}
	if at := plus(least, pick(x.gcLate, 0, gcPeriod)); tl.notReadyAt(at) {
		return at
	}
	return never
}

// orphansCollected returns when the garbage collector deletes the pods of a deleted node. At one tick it notices that the node
// is missing, waits, and checks again at a later tick.
func (sim *simulation) orphansCollected(m *simNode, x extremes) time.Duration {
	seen := m.deleted
	if begin, end := sim.outage(x); seen != never && seen < end && seen+gcQuarantine+gcPeriod > begin {
		seen = max(seen, end)
	}
	return plus(seen, pick(x.gcLate, gcQuarantine, gcQuarantine+gcPeriod))
}

// fate returns the Fate of the outcome.
func (o *outcome) fate(p *evidence.Pod, m *simNode) Fate {
	switch {
	case o.deleted == never && (m.back != never || !m.unheard()):
		return Stays
	case o.deleted == never:
		return NeverMoves
	case o.kind == None && mechanics.Replaces(p) == mechanics.NotReplaced && !p.Finished():
		return Lost
	case o.gone == never:
		return StuckTerminating
	}
	return Evicted
}

// queues count the sequential requests of controllers: 20 per second and client, after a burst of 30 (kubernetes
// pkg/controller/apis/config/v1alpha1/defaults.go, v1.36.3).
type queues struct {
	*managerFlags
	marked, evicted int
}

// notReady returns how long the next pod waits to be marked: two requests each.
func (q *queues) notReady() time.Duration {
	q.marked++
	return q.inTurn(q.marked+1, 2) // after the node's status and event
}

// evict returns how long the next pod waits to be deleted: four requests each.
func (q *queues) evict() time.Duration {
	q.evicted++
	return q.inTurn(q.evicted, 4) + apiLag
}
