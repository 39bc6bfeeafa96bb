package upgrade

import (
	"container/heap"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/clusterview"
	"github.com/nodetriage/nodetriage/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/plan"
)

// course is one run of an upgrade in virtual time. A slow one takes the long end of every interval.
type course struct {
	view  *clusterview.View
	set   Settings
	way   way
	pool  *pool
	board placement.Board
	slow  bool
	just  map[string]bool // nodes that get stuck: all others become empty just in time; nil: nobody is helped
	// spared are nodes from which those pods are thought away that the scheduler need not have put there.
	spared map[string]bool

	now   time.Duration
	last  time.Duration // when something of the upgrade happened
	queue events
	ended bool

	order    []*machine
	machines map[string]*machine
	books    map[*evidence.PDB]*book
	known    map[*evidence.Pod][]*book // budgets of pods like this one
	denied   map[*evidence.Pod]bool    // whether admission refuses the eviction of pods like this one
	started  map[evidence.Owner]plan.Interval
	waiting  []*mover // without a place, in the order of their creation
	freed    bool     // room came up since they were last tried
	made     int      // new nodes
	surges   []*machine
	lost     []string
	forced   []string
	unknown  string // why it is not known where some pods go

	steps []Step // begin and end have one time each, in From
	stuck []Stuck
	moves int
	done  int // old nodes that are replaced
	apart int // old nodes in quarantine
	peak  Peak
}

// machine is a node of the pool, old or new.
type machine struct {
	name     string
	pods     []*mover
	draining bool
	empty    func() // what follows when it is
	given    func() // what follows when it is given up
}

func newCourse(v *clusterview.View, set Settings, p *pool, board placement.Board, slow bool) *course {
	c := &course{
		view: v, set: set, way: ways[set.Style], pool: p, board: board, slow: slow,
		machines: map[string]*machine{}, books: map[*evidence.PDB]*book{}, known: map[*evidence.Pod][]*book{}, denied: map[*evidence.Pod]bool{}, started: map[evidence.Owner]plan.Interval{},
	}
	for _, n := range p.nodes {
		m := &machine{name: n.Name}
		for _, pod := range v.PodsOn(n.Name) {
			if action, _ := mechanics.DrainOf(pod); action != drain.Skip {
				c.settle(m, pod, action)
			}
		}
		c.machines[n.Name] = m
		c.order = append(c.order, m)
	}
	c.elsewhere()
	return c
}

// event is what happens at a time.
type event struct {
	at  time.Duration
	seq int // of equals the earlier comes first
	do  func()
}

type events struct {
	list []event
	seq  int
}

func (e *events) Len() int { return len(e.list) }
func (e *events) Less(i, j int) bool {
	a, b := e.list[i], e.list[j]
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}
func (e *events) Swap(i, j int) { e.list[i], e.list[j] = e.list[j], e.list[i] }
func (e *events) Push(x any)    { e.list = append(e.list, x.(event)) }
func (e *events) Pop() any {
	last := e.list[len(e.list)-1]
	e.list = e.list[:len(e.list)-1]
	return last
}

// after does it later.
func (c *course) after(d time.Duration, do func()) {
	c.queue.seq++
	heap.Push(&c.queue, event{min(c.now+d, 10*mechanics.Longest), c.queue.seq, do})
}

// pick is the end of an interval that this run takes.
func (c *course) pick(i plan.Interval) time.Duration {
	if c.slow {
		return i.To
	}
	return i.From
}

// run plays until the upgrade is over, or nothing more happens.
func (c *course) run() {
	defer c.close()
	c.begin()
	for !c.ended && c.queue.Len() > 0 {
		e := heap.Pop(&c.queue).(event)
		c.now = e.at
		e.do()
		if c.queue.Len() == 0 || c.queue.list[0].at > c.now {
			c.seat()
		}
	}
	if c.ended {
		return
	}
	c.now = c.last
	for _, m := range c.order { // nothing will ever happen again
		if m.draining {
			c.note(m, "the drain waits for ever, and the upgrade with it")
		}
	}
	for _, m := range c.surges {
		if m.draining {
			c.note(m, "the old nodes are replaced, but the added node stays")
		}
	}
}

// begin adds the surge nodes where they come first, and starts with the first batch.
func (c *course) begin() {
	if !c.way.ahead || c.set.Surge == 0 {
		c.batch(0)
		return
	}
	c.add(c.set.Surge, func(list []*machine) {
		c.surges = list
		if c.way.closes {
			for _, m := range c.order {
				c.shut(m)
			}
		}
		c.batch(0)
	})
}

// batch replaces the next nodes from the i-th on, and then those after them.
func (c *course) batch(i int) {
	width := c.set.width() - c.apart
	if c.set.Style == AKS && c.set.Surge > 0 && width <= 0 {
		c.end() // every surge node stands in for one in quarantine
		return
	}
	now := c.order[min(i, len(c.order)):min(i+max(width, 1), len(c.order))]
	if len(now) == 0 {
		c.finish()
		return
	}
	c.open(now)
	left := len(now)
	over := func() {
		if left--; left == 0 {
			c.close()
			c.batch(i + len(now))
		}
	}
	drain := func() {
		for _, m := range now {
			c.shut(m)
		}
		for _, m := range now {
			c.drain(m, func() { c.after(c.set.Soak, func() { c.replace(m, over) }) }, over)
		}
	}
	if !c.way.ahead && !c.way.renews && c.set.Surge > 0 {
		c.add(len(now), func([]*machine) { drain() })
		return
	}
	drain()
}

// open begins the account of a step, close ends it.
func (c *course) open(list []*machine) {
	step := Step{Begin: plan.Interval{From: c.now}, End: plan.Interval{From: -1}, Moves: -c.moves}
	for _, m := range list {
		step.Nodes = append(step.Nodes, m.name)
	}
	c.steps = append(c.steps, step)
}

func (c *course) close() {
	if len(c.steps) == 0 {
		return
	}
	if s := &c.steps[len(c.steps)-1]; s.End.From < 0 {
		s.End.From = c.now
		s.Moves += c.moves
	}
}

// replace gives an empty node its new image, or takes it away and makes another.
func (c *course) replace(m *machine, over func()) {
	c.done++
	switch {
	case c.way.twin: // the old node stays, closed
		over()
	case c.way.renews:
		down := placement.Cordoned(c.board.Node(m.name))
		down.Spec.Taints = append(down.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule})
		c.board.PutNode(down)
		c.after(c.pick(c.set.NodeStart), func() {
			c.board.PutNode(opened(down))
			c.freed = true
			over()
		})
	case !c.way.ahead && c.set.Surge > 0: // its like is there already
		c.after(c.way.after, func() {
			c.board.RemoveNode(m.name)
			over()
		})
	default:
		c.after(c.way.after, func() {
			c.board.RemoveNode(m.name)
			c.add(1, func([]*machine) { over() })
		})
	}
}

// add makes nodes of the pool's shape, spread over its zones, with the pods that every node has.
func (c *course) add(n int, then func([]*machine)) {
	c.after(c.pick(c.set.NodeStart), func() {
		var list []*machine
		zones := c.pool.zones()
		for range n {
			model := c.pool.model(zones[c.made%len(zones)])
			c.made++
			m := &machine{name: fmt.Sprintf("%s-new-%d", c.pool.name, c.made)}
			c.board.PutNode(likeNew(model.Node, m.name))
			for _, p := range c.view.PodsOn(model.Name) {
				if action, _ := mechanics.DrainOf(p); action == drain.Skip {
					_ = c.board.Assume(p, m.name) // one whose spec is not known takes no room either
				}
			}
			c.machines[m.name] = m
			list = append(list, m)
		}
		c.freed, c.last = true, c.now
		then(list)
	})
}

// finish takes the surge nodes away that do not stay in the place of others.
func (c *course) finish() {
	going := c.surges[:max(0, len(c.surges)-c.apart)]
	if len(going) == 0 || !c.way.ahead || c.way.twin {
		c.end()
		return
	}
	left := len(going)
	c.open(going)
	for _, m := range going {
		c.shut(m)
	}
	for _, m := range going {
		c.drain(m, func() {
			c.board.RemoveNode(m.name)
			if left--; left == 0 {
				c.end()
			}
		}, nil)
	}
}

// end is the end of the upgrade, for good or ill.
func (c *course) end() {
	c.seat()
	c.ended = true
}

// shut closes a node.
func (c *course) shut(m *machine) {
	if n := c.board.Node(m.name); n != nil && !n.Spec.Unschedulable {
		c.board.PutNode(placement.Cordoned(n))
	}
}
