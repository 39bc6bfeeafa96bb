package upgrade

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// state is the state of a pod in a rollout.
type state int

const (
	staying state = iota // it is running or starting
	leaving              // it was evicted
	waiting              // it has no node
	gone
)

// simPod is a pod that may move, or its replacement.
type simPod struct {
	like     *evidence.Pod
	key      string // of the replaced pod, if it is a replacement
	on       *poolNode
	node     string
	state    state
	ready    evidence.Fact
	old      bool   // it was Pending before the upgrade began
	roomless bool   // it, or the pod that it replaces, had no node before the upgrade began
	moved    bool   // it was placed by the simulation, possibly on one node of several
	says     string // the scheduler's message, while it is Pending
}

// addPod adds a pod of the evidence to its node.
func (r *rollout) addPod(m *poolNode, p *evidence.Pod, action drain.Action) {
	v := &simPod{like: p, key: p.Key(), on: m, node: m.name, ready: p.Ready}
	m.pods = append(m.pods, v)
	if action == drain.Wait {
		v.state = leaving
		if r.willEnd(v) {
			r.after(r.pick(plan.Within(0, max(0, bounds.Until(r.view.Now, p.Deleted))+clusterview.Overhead)), func() { r.removed(v) })
		}
		return
	}
	if r.view.SoonReady(p) {
		r.becomesReady(v, r.startOf(p))
	}
}

// drain evicts all pods of a node. It calls empty when the node has no pods left, or gives up.
func (r *rollout) drain(m *poolNode, empty, givenUp func()) {
	m.draining, m.empty, m.givenUp, r.last = true, empty, givenUp, r.now
	if r.set.DrainTimeout > 0 {
		// An evictor may check the timeout only when it retries.
		r.after(r.pick(plan.Within(r.set.DrainTimeout, r.set.DrainTimeout+drain.RetryAfter)), func() {
			if m.draining {
				r.drainTimedOut(m)
			}
		})
	}
	pods := slices.Clone(m.pods)
	slices.SortStableFunc(pods, func(a, b *simPod) int { return cmp.Compare(servesRank(a), servesRank(b)) })
	for _, p := range pods {
		switch {
		case p.state == staying && p.moved && r.assumedElsewhere[m.name]:
			p.on = nil
			m.pods = slices.DeleteFunc(m.pods, func(q *simPod) bool { return q == p })
		case p.state == staying:
			r.evict(p)
		}
	}
	r.checkEmpty(m)
}

// drainTimedOut ends the drain of a node that was not drained in time.
func (r *rollout) drainTimedOut(m *poolNode) {
	if r.onTime != nil && !r.onTime[m.name] {
		for _, p := range slices.Clone(m.pods) {
			if p.state == staying {
				r.terminate(p)
			}
			r.removed(p)
		}
		return
	}
	added := !slices.Contains(r.oldNodes, m)
	switch r.set.Undrainable {
	case Quarantine:
		m.draining = false
		if added {
			r.recordStuck(m, "the added node remains, and the upgrade fails")
			r.end()
			return
		}
		then := "the node stays cordoned and quarantined; a surge node replaces it, and the upgrade continues with one surge node less"
		if r.set.Surge == 0 {
			then = "the node stays cordoned and quarantined, and counts as unavailable"
		}
		r.recordStuck(m, then)
		r.quarantined++
		m.givenUp()
	case Force:
		if r.set.Style == EKS {
			r.endMachine(m)
			return
		}
		r.recordStuck(m, "its pods are deleted in spite of their PodDisruptionBudgets, and the upgrade continues")
		for _, p := range slices.Clone(m.pods) {
			if p.state == staying {
				r.forced = append(r.forced, p.key)
				r.terminate(p)
			} else {
				r.removed(p) // with its node
			}
		}
	default:
		then := "the upgrade fails there; replaced nodes remain replaced"
		switch r.set.Style {
		case AKS:
			then = "the upgrade fails; the node is uncordoned with its old image, and the surge nodes are deleted"
		case EKS:
			then = "the update fails with PodEvictionFailure"
		}
		r.recordStuck(m, then)
		r.end()
	}
}

// orphanDelay is how long it takes after the end of a machine until its pods are known to be gone. It is zero if its kubelet
// still terminates them. Otherwise its missing heartbeat must be detected (50 s, checked every 5 s), and its Node object
// deleted. Then the garbage collector must have noticed twice that it is missing (every 20 s, 40 s apart; kubernetes
// pkg/controller/podgc v1.36.3).
var orphanDelay = plan.Within(0, 2*time.Minute+10*time.Second)

// endMachine stops a node's machine with the remaining pods, as EKS does for a forced update.
func (r *rollout) endMachine(m *poolNode) {
	r.recordStuck(m, "its instance is terminated with its remaining pods, in spite of their PodDisruptionBudgets, and the update continues")
	left := slices.Clone(m.pods)
	for _, p := range left {
		if p.state == staying {
			r.forced = append(r.forced, p.key)
		}
	}
	r.after(r.strategy.deleteDelay+r.pick(orphanDelay), func() {
		for _, p := range left {
			if p.state == staying {
				r.terminate(p)
			}
			r.removed(p)
		}
	})
	m.draining = false
	m.empty()
}

// servesRank puts pods that do not serve first.
func servesRank(p *simPod) int {
	if p.ready == evidence.True {
		return 1
	}
	return 0
}

// checkEmpty continues when the node is drained.
func (r *rollout) checkEmpty(m *poolNode) {
	if m.draining && len(m.pods) == 0 {
		m.draining = false
		m.empty()
	}
}

// evict calls the eviction API for a pod of a draining node, and simulates the result.
func (r *rollout) evict(p *simPod) {
	if r.refused(p.like) {
		return
	}
	if mechanics.AsksBudgets(p.like) {
		ledgers := r.ledgersOf(p.like)
		if len(ledgers) > 1 {
			return // it is always rejected
		}
		for _, k := range ledgers {
			if k.Evict(p.ready) == mechanics.Refused {
				k.held = append(k.held, p)
				return
			}
		}
	}
	r.terminate(p)
}

// refused reports whether admission rejects the eviction of pods like this one.
func (r *rollout) refused(p *evidence.Pod) bool {
	out, known := r.denied[p]
	if !known {
		out = r.view.RefusesEviction(p)
		r.denied[p] = out
	}
	return out
}

// terminate begins the termination of a pod that was evicted or deleted.
func (r *rollout) terminate(p *simPod) {
	r.evictions++
	r.last = r.now
	p.state = leaving
	for _, k := range r.ledgersOf(p.like) {
		k.Leaves(p.ready)
	}
	switch {
	case p.like.Finished():
	case mechanics.Replaces(p.like) == mechanics.NotReplaced:
		r.lost = append(r.lost, p.key)
	case mechanics.Foreign(p.like):
		r.unknown = cmp.Or(r.unknown, "it is unknown whether the controller "+p.like.Owner.Kind+" recreates its pods: the simulation assumes it")
		r.replacement(p)
	case mechanics.Replaces(p.like) != mechanics.WhenGone:
		r.replacement(p)
	}
	if r.willEnd(p) {
		r.after(r.pick(clusterview.EndsWithin(p.like)), func() { r.removed(p) })
	}
}

// willEnd reports whether the pod is ever gone after its deletion. Whether the controller of a finalizer removes it is unknown;
// in a slow run it does not.
func (r *rollout) willEnd(p *simPod) bool {
	if p.like.Deleting() {
		return !r.view.Ending(p.like).Stuck()
	}
	if n := r.view.Node(p.node); n != nil && !mechanics.EndsPods(n) && !p.like.Finished() {
		return false
	}
	return !r.slow || len(mechanics.LastingFinalizers(p.like)) == 0
}

// removed handles the removal of a pod's object.
func (r *rollout) removed(p *simPod) {
	if p.state == gone {
		return
	}
	p.state, r.last = gone, r.now
	_ = r.board.Forget(p.like, p.node) // a terminated pod was never counted
	r.roomFreed = true
	for _, k := range r.ledgersOf(p.like) {
		r.recount(k, 0)
	}
	if mechanics.Replaces(p.like) == mechanics.WhenGone && !p.like.Finished() {
		r.replacement(p)
	}
	if m := p.on; m != nil {
		m.pods = slices.DeleteFunc(m.pods, func(q *simPod) bool { return q == p })
		r.checkEmpty(m)
	}
}

// replacement adds the pod that the controller of p creates.
func (r *rollout) replacement(p *simPod) {
	next := &simPod{like: p.like, key: p.key, ready: evidence.False, state: waiting, roomless: p.roomless}
	if w := r.view.DeadWebhook(p.like.Namespace, p.like.Labels); w != nil {
		next.says = "webhook " + w.Name + " blocks its creation"
	}
	r.waiting = append(r.waiting, next)
	r.roomFreed = true
}

// placeWaiting finds nodes for Pending pods, those of high priority first. Of pods of one shape only the first is tried.
func (r *rollout) placeWaiting() {
	if !r.roomFreed || len(r.waiting) == 0 {
		return
	}
	r.roomFreed = false
	slices.SortStableFunc(r.waiting, func(a, b *simPod) int { return cmp.Compare(mechanics.Priority(b.like), mechanics.Priority(a.like)) })
	type shape struct {
		spec      any
		namespace string
		app       string
	}
	refused := map[shape]string{}
	var still []*simPod
	for _, p := range r.waiting {
		s := shape{p.like.Spec, p.like.Namespace, p.like.Owner.Name}
		if says, known := refused[s]; known {
			p.says = says
			still = append(still, p)
			continue
		}
		if !r.place(p) {
			refused[s] = p.says
			still = append(still, p)
		}
	}
	r.waiting = still
	r.recordPeak()
}

// schedulerBackoff is the longest time until the scheduler retries an unschedulable pod (podMaxBackoffSeconds,
// pkg/scheduler/apis/config/v1/defaults.go v1.36.3).
const schedulerBackoff = 10 * time.Second

// place finds a node for one pod.
func (r *rollout) place(p *simPod) bool {
	if r.view.DeadWebhook(p.like.Namespace, p.like.Labels) != nil && !p.old {
		return false
	}
	answer := r.board.Place(p.like)
	if change := r.view.Policies.Changed(p.like); change != nil && !p.old {
		r.unknown = cmp.Or(r.unknown, change.String())
	}
	switch answer.Verdict {
	case placement.Unknown:
		r.unknown = cmp.Or(r.unknown, answer.Message, "the free capacity of some nodes is unknown")
	case placement.Pending:
		p.says = answer.Message
		return false
	}
	refused := p.says != ""
	p.state, p.node, p.on, p.says, p.moved = staying, answer.Node, r.nodes[answer.Node], "", true
	if p.on != nil && p.on.draining { // it tolerates the cordon, and a drain lists pods only once
		p.on = nil
	}
	if p.on != nil {
		p.on.pods = append(p.on.pods, p)
	}
	if p.old || p.like.Ready == evidence.True || r.view.SoonReady(p.like) {
		start := r.startOf(p.like)
		if refused {
			start = start.Then(plan.Within(0, schedulerBackoff))
		}
		r.becomesReady(p, start)
	}
	return true
}

// becomesReady makes a pod ready after its start, unless it is evicted before.
func (r *rollout) becomesReady(p *simPod, within plan.Interval) {
	for _, k := range r.ledgersOf(p.like) {
		k.starting++
	}
	r.after(r.pick(within), func() {
		for _, k := range r.ledgersOf(p.like) {
			k.starting--
		}
		if p.state != staying || p.ready == evidence.True {
			return
		}
		p.ready, r.last = evidence.True, r.now
		for _, k := range r.ledgersOf(p.like) {
			r.recount(k, 1)
		}
	})
}

// startOf returns how long pods like p take to be ready.
func (r *rollout) startOf(p *evidence.Pod) plan.Interval {
	owner := r.view.TopOwner(p)
	i, known := r.started[owner]
	if !known {
		i = r.view.StartsWithin(p)
		r.started[owner] = i
	}
	return i
}

// recordPeak records the time at which most pods are Pending.
func (r *rollout) recordPeak() {
	n := 0
	for _, p := range r.waiting {
		if !p.roomless {
			n++
		}
	}
	if len(r.steps) > 0 {
		s := &r.steps[len(r.steps)-1]
		s.Waiting = max(s.Waiting, n)
	}
	if n <= r.peak.Pods {
		return
	}
	r.peak = Peak{Pods: n, At: plan.At(r.now)}
	for _, p := range r.waiting {
		if p.roomless {
			continue
		}
		r.peak.Says = cmp.Or(r.peak.Says, p.says)
		if w := r.view.WorkloadKey(p.like); !slices.Contains(r.peak.Some, w) && len(r.peak.Some) < 5 {
			r.peak.Some = append(r.peak.Some, w)
		}
	}
}
