package upgrade

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/clusterview"
	"github.com/nodetriage/nodetriage/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/plan"
)

// state of a pod in a course.
type state int

const (
	staying state = iota // it runs, or starts
	leaving              // it was evicted
	waiting              // it has no node
	gone
)

// mover is a pod that may move, or its replacement.
type mover struct {
	like  *evidence.Pod
	key   string // of the first of its line
	on    *machine
	node  string
	state state
	ready evidence.Fact
	old   bool   // it waited for a node before the upgrade began
	moved bool   // it is on a node that was picked for it, maybe among several
	says  string // the scheduler, while it waits
}

// settle puts a pod of the evidence on its node.
func (c *course) settle(m *machine, p *evidence.Pod, action drain.Action) {
	v := &mover{like: p, key: p.Key(), on: m, node: m.name, ready: p.Ready}
	m.pods = append(m.pods, v)
	if action == drain.Wait {
		v.state = leaving
		if c.ends(v) {
			c.after(c.pick(plan.Within(0, max(0, p.Deleted.Sub(c.view.Now))+clusterview.Overhead)), func() { c.left(v) })
		}
		return
	}
	if c.view.SoonReady(p) {
		c.becomesReady(v, c.startOf(p))
	}
}

// drain evicts all pods of a node, and goes on when it is empty, or is given up.
func (c *course) drain(m *machine, empty, given func()) {
	m.draining, m.empty, m.given, c.last = true, empty, given, c.now
	if c.set.DrainTimeout > 0 {
		// An evictor may look at the time only when it tries again.
		c.after(c.pick(plan.Within(c.set.DrainTimeout, c.set.DrainTimeout+drain.RetryAfter)), func() {
			if m.draining {
				c.late(m)
			}
		})
	}
	pods := slices.Clone(m.pods)
	slices.SortStableFunc(pods, func(a, b *mover) int { return cmp.Compare(costs(a), costs(b)) })
	for _, p := range pods {
		switch {
		case p.state == staying && p.moved && c.spared[m.name]:
			p.on = nil
			m.pods = slices.DeleteFunc(m.pods, func(q *mover) bool { return q == p })
		case p.state == staying:
			c.evict(p)
		}
	}
	c.look(m)
}

// late is the end of a node's time to become empty.
func (c *course) late(m *machine) {
	if c.just != nil && !c.just[m.name] {
		for _, p := range slices.Clone(m.pods) {
			if p.state == staying {
				c.goes(p)
			}
			c.left(p)
		}
		return
	}
	added := !slices.Contains(c.order, m)
	switch c.set.Undrainable {
	case Quarantine:
		m.draining = false
		if added {
			c.note(m, "the added node stays, and the upgrade ends as failed")
			c.end()
			return
		}
		c.note(m, "the node stays closed, in quarantine; a surge node stays in its place, and the upgrade goes on with one less")
		c.apart++
		m.given()
	case Force:
		if c.set.Style == EKS {
			c.terminate(m)
			return
		}
		c.note(m, "its pods are deleted without asking their budgets, and the upgrade goes on")
		for _, p := range slices.Clone(m.pods) {
			if p.state == staying {
				c.forced = append(c.forced, p.key)
				c.goes(p)
			} else {
				c.left(p) // with its node
			}
		}
	default:
		then := "the upgrade fails there; what is replaced stays so"
		switch {
		case c.set.Style == AKS:
			then = "the upgrade fails; the node takes pods again with its old image, and the surge nodes are deleted"
		case c.set.Style == EKS:
			then = "the update fails with PodEvictionFailure"
		}
		c.note(m, then)
		c.end()
	}
}

// orphaned is how long it takes after the end of a machine until its pods are known to be gone: none if its kubelet still
// ends them, else until its silence counts (50 s, looked at every 5 s), its Node object is deleted, and the garbage
// collector has seen twice that it is missing (every 20 s, 40 s apart; kubernetes pkg/controller/podgc v1.36.3).
var orphaned = plan.Within(0, 2*time.Minute+10*time.Second)

// terminate ends a node's machine with the pods that are left on it, as EKS does when it is told to force an update.
func (c *course) terminate(m *machine) {
	c.note(m, "its machine is ended with the pods that are left on it, without asking their budgets, and the update goes on")
	left := slices.Clone(m.pods)
	for _, p := range left {
		if p.state == staying {
			c.forced = append(c.forced, p.key)
		}
	}
	c.after(c.way.after+c.pick(orphaned), func() {
		for _, p := range left {
			if p.state == staying {
				c.goes(p)
			}
			c.left(p)
		}
	})
	m.draining = false
	m.empty()
}

// costs puts those first that serve nobody.
func costs(p *mover) int {
	if p.ready == evidence.True {
		return 1
	}
	return 0
}

// look goes on when the node is empty.
func (c *course) look(m *machine) {
	if m.draining && len(m.pods) == 0 {
		m.draining = false
		m.empty()
	}
}

// evict asks the eviction API for a pod of a draining node, and follows what comes of it.
func (c *course) evict(p *mover) {
	if c.refused(p.like) {
		return
	}
	if mechanics.AsksBudgets(p.like) {
		books := c.booksOf(p.like)
		if len(books) > 1 {
			return // it is refused for ever
		}
		for _, k := range books {
			if k.Evict(p.ready) == mechanics.Refused {
				k.held = append(k.held, p)
				return
			}
		}
	}
	c.goes(p)
}

// refused tells whether admission keeps pods like this one from being evicted.
func (c *course) refused(p *evidence.Pod) bool {
	out, known := c.denied[p]
	if !known {
		out = c.view.RefusesEviction(p)
		c.denied[p] = out
	}
	return out
}

// goes ends a pod: it was evicted or deleted.
func (c *course) goes(p *mover) {
	c.moves++
	c.last = c.now
	p.state = leaving
	for _, k := range c.booksOf(p.like) {
		k.Goes(p.ready)
	}
	switch {
	case p.like.Finished():
	case mechanics.Replaces(p.like) == mechanics.NotReplaced:
		c.lost = append(c.lost, p.key)
	case mechanics.Foreign(p.like):
		c.unknown = cmp.Or(c.unknown, "whether a controller of kind "+p.like.Owner.Kind+" makes its pods again is not known here: they are played as if it did")
		c.replacement(p)
	case mechanics.Replaces(p.like) != mechanics.WhenGone:
		c.replacement(p)
	}
	if c.ends(p) {
		c.after(c.pick(clusterview.EndsWithin(p.like)), func() { c.left(p) })
	}
}

// ends tells whether the pod is ever gone after its deletion.
func (c *course) ends(p *mover) bool {
	if n := c.view.Node(p.node); n != nil && !mechanics.EndsPods(n) && !p.like.Finished() {
		return false
	}
	return !c.view.Overdue(p.like)
}

// left is the end of a pod.
func (c *course) left(p *mover) {
	if p.state == gone {
		return
	}
	p.state, c.last = gone, c.now
	_ = c.board.Forget(p.like, p.node) // one that has ended was never counted
	c.freed = true
	for _, k := range c.booksOf(p.like) {
		c.recount(k, 0)
	}
	if mechanics.Replaces(p.like) == mechanics.WhenGone && !p.like.Finished() {
		c.replacement(p)
	}
	if m := p.on; m != nil {
		m.pods = slices.DeleteFunc(m.pods, func(q *mover) bool { return q == p })
		c.look(m)
	}
}

// replacement is made by the pod's controller.
func (c *course) replacement(p *mover) {
	next := &mover{like: p.like, key: p.key, ready: evidence.False, state: waiting}
	if w := c.view.DeadWebhook(p.like.Namespace, p.like.Labels); w != nil {
		next.says = "webhook " + w.Name + " keeps it from being created"
	}
	c.waiting = append(c.waiting, next)
	c.freed = true
}

// seat finds nodes for the pods that wait, those of high priority first; of equal ones only the first is asked.
func (c *course) seat() {
	if !c.freed || len(c.waiting) == 0 {
		return
	}
	c.freed = false
	slices.SortStableFunc(c.waiting, func(a, b *mover) int { return cmp.Compare(priorityOf(b.like), priorityOf(a.like)) })
	type shape struct {
		spec      any
		namespace string
		app       string
	}
	refused := map[shape]string{}
	var still []*mover
	for _, p := range c.waiting {
		s := shape{p.like.Spec, p.like.Namespace, p.like.Owner.Name}
		if says, known := refused[s]; known {
			p.says = says
			still = append(still, p)
			continue
		}
		if !c.place(p) {
			refused[s] = p.says
			still = append(still, p)
		}
	}
	c.waiting = still
	c.crest()
}

func priorityOf(p *evidence.Pod) int32 {
	if p.Spec == nil || p.Spec.Priority == nil {
		return 0
	}
	return *p.Spec.Priority
}

// schedulerBackoff is the longest time until the scheduler tries a pod again for which there was no room
// (podMaxBackoffSeconds, pkg/scheduler/apis/config/v1/defaults.go v1.36.3).
const schedulerBackoff = 10 * time.Second

// place finds a node for one pod.
func (c *course) place(p *mover) bool {
	if c.view.DeadWebhook(p.like.Namespace, p.like.Labels) != nil && !p.old {
		return false
	}
	answer := c.board.Place(p.like)
	if change := c.view.Policies.Changed(p.like); change != nil && !p.old {
		c.unknown = cmp.Or(c.unknown, change.String())
	}
	switch {
	case answer.Verdict == placement.Unknown:
		c.unknown = cmp.Or(c.unknown, answer.Message, "the room of some nodes is not known")
	case answer.Verdict == placement.Pending:
		p.says = answer.Message
		return false
	}
	refused := p.says != ""
	p.state, p.node, p.on, p.says, p.moved = staying, answer.Node, c.machines[answer.Node], "", true
	if p.on != nil && p.on.draining { // it tolerates closed nodes; a drain looks for pods once
		p.on = nil
	}
	if p.on != nil {
		p.on.pods = append(p.on.pods, p)
	}
	if p.old || p.like.Ready == evidence.True || c.view.SoonReady(p.like) {
		start := c.startOf(p.like)
		if refused {
			start.To += schedulerBackoff
		}
		c.becomesReady(p, start)
	}
	return true
}

// becomesReady lets a pod serve when it has started, unless it goes before.
func (c *course) becomesReady(p *mover, within plan.Interval) {
	c.after(c.pick(within), func() {
		if p.state != staying || p.ready == evidence.True {
			return
		}
		p.ready, c.last = evidence.True, c.now
		for _, k := range c.booksOf(p.like) {
			c.recount(k, 1)
		}
	})
}

// startOf is how long pods like p take to be ready.
func (c *course) startOf(p *evidence.Pod) plan.Interval {
	owner := c.view.TopOwner(p)
	i, known := c.started[owner]
	if !known {
		i = c.view.StartsWithin(p)
		c.started[owner] = i
	}
	return i
}

// crest remembers the moment at which most pods had no place.
func (c *course) crest() {
	n := 0
	for _, p := range c.waiting {
		if !p.old {
			n++
		}
	}
	if len(c.steps) > 0 {
		s := &c.steps[len(c.steps)-1]
		s.Waiting = max(s.Waiting, n)
	}
	if n <= c.peak.Pods {
		return
	}
	c.peak = Peak{Pods: n, At: plan.Interval{From: c.now}}
	for _, p := range c.waiting {
		if p.old {
			continue
		}
		c.peak.Says = cmp.Or(c.peak.Says, p.says)
		if w := c.view.WorkloadKey(p.like); !slices.Contains(c.peak.Some, w) && len(c.peak.Some) < 5 {
			c.peak.Some = append(c.peak.Some, w)
		}
	}
}
