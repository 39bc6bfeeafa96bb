package upgrade

import (
	"container/heap"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// rollout is one run of an upgrade in virtual time.
type rollout struct {
	view     *clusterview.View
	set      Settings
	strategy strategy
	pool     *pool
	board    placement.Board
	before   func() (placement.Board, error) // the cluster before the upgrade
	slow     bool                            // it uses the long end of every interval, else the short one
	// onTime: the nodes that get stuck in a fast run. All others are drained just in time. nil: not used.
	onTime map[string]bool
	// assumedElsewhere are nodes simulated without the pods that the scheduler could have placed elsewhere.
	assumedElsewhere map[string]bool

	now   time.Duration
	last  time.Duration // time of the last event of the upgrade
	queue events
	ended bool

	oldNodes     []*poolNode
	nodes        map[string]*poolNode // old and new, by name
	ledgers      map[*evidence.PDB]*ledger
	ledgersByPod map[*evidence.Pod][]*ledger // of the PodDisruptionBudgets of pods like this one
	denied       map[*evidence.Pod]bool      // whether admission rejects the eviction of pods like this one
	started      map[evidence.Owner]plan.Interval
	waiting      []*simPod // Pending, in the order of their creation
	roomFreed    bool      // capacity was freed since they were last tried
	added        int       // new nodes
	surges       []*poolNode
	lost         []string
	forced       []string
	unknown      string // why it is unknown where some pods go

	steps       []Step // begin and end have one time each, in From
	stuck       []Stuck
	evictions   int
	replaced    int // old nodes
	quarantined int // old nodes
	peak        Peak
}

// poolNode is a node of the pool, old or new.
type poolNode struct {
	name     string
	pods     []*simPod
	draining bool
	empty    func() // called when it has no pods left
	givenUp  func() // called when its drain is abandoned
}

func newRollout(v *clusterview.View, set Settings, p *pool, board placement.Board, slow bool) *rollout {
	r := &rollout{
		view: v, set: set, strategy: strategies[set.Style], pool: p, board: board, slow: slow,
		nodes: map[string]*poolNode{}, ledgers: map[*evidence.PDB]*ledger{}, ledgersByPod: map[*evidence.Pod][]*ledger{}, denied: map[*evidence.Pod]bool{}, started: map[evidence.Owner]plan.Interval{},
	}
	for _, n := range p.nodes {
		m := &poolNode{name: n.Name}
		for _, pod := range v.PodsOn(n.Name) {
			if action, _ := mechanics.DrainOf(pod); action != drain.Skip {
				r.addPod(m, pod, action)
			}
		}
		r.nodes[n.Name] = m
		r.oldNodes = append(r.oldNodes, m)
	}
	r.followOthers()
	return r
}

// event is a callback at one time.
type event struct {
	at  time.Duration
	seq int // breaks ties: the earlier comes first
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

// after schedules a call of do.
func (r *rollout) after(d time.Duration, do func()) {
	r.queue.seq++
	heap.Push(&r.queue, event{min(r.now+d, 10*mechanics.Longest), r.queue.seq, do})
}

// pick returns the end of an interval that this run uses.
func (r *rollout) pick(i plan.Interval) time.Duration {
	if r.slow {
		return i.Latest()
	}
	return i.Earliest()
}

// run simulates until the upgrade is over, or nothing more can happen.
func (r *rollout) run() {
	defer r.endStep()
	r.begin()
	for !r.ended && r.queue.Len() > 0 {
		e := heap.Pop(&r.queue).(event)
		r.now = e.at
		e.do()
		if r.queue.Len() == 0 || r.queue.list[0].at > r.now {
			r.placeWaiting()
		}
	}
	if r.ended {
		return
	}
	r.now = r.last
	for _, m := range r.oldNodes { // no event is left
		if m.draining {
			r.recordStuck(m, "the drain and the upgrade wait forever")
		}
	}
	for _, m := range r.surges {
		if m.draining {
			r.recordStuck(m, "the old nodes are replaced, but the added node remains")
		}
	}
}

// begin adds the surge nodes if they come first, and starts the first batch.
func (r *rollout) begin() {
	if !r.strategy.surgeFirst || r.set.Surge == 0 {
		r.batch(0)
		return
	}
	r.addNodes(r.set.Surge, func(list []*poolNode) {
		r.surges = list
		if r.strategy.cordonsAll {
			for _, m := range r.oldNodes {
				r.cordon(m)
			}
		}
		r.batch(0)
	})
}

// batch replaces the next nodes, from the i-th on, and then the following ones.
func (r *rollout) batch(i int) {
	width := r.set.width() - r.quarantined
	if r.set.Style == AKS && width <= 0 {
		r.end() // as many nodes are in quarantine as may be away
		return
	}
	now := r.oldNodes[min(i, len(r.oldNodes)):min(i+max(width, 1), len(r.oldNodes))]
	if len(now) == 0 {
		r.removeSurge()
		return
	}
	r.beginStep(now)
	left := len(now)
	over := func() {
		if left--; left == 0 {
			r.endStep()
			r.batch(i + len(now))
		}
	}
	drain := func() {
		for _, m := range now {
			r.cordon(m)
		}
		for _, m := range now {
			r.drain(m, func() { r.after(r.set.Soak, func() { r.replace(m, over) }) }, over)
		}
	}
	if !r.strategy.surgeFirst && !r.strategy.inPlace && r.set.Surge > 0 {
		r.addNodes(len(now), func([]*poolNode) { drain() })
		return
	}
	drain()
}

// unfinished is the end of a Step that has none yet.
const unfinished = -1

// beginStep begins a Step, endStep ends it.
func (r *rollout) beginStep(list []*poolNode) {
	step := Step{Begin: plan.At(r.now), End: plan.At(unfinished), Moves: -r.evictions}
	for _, m := range list {
		step.Nodes = append(step.Nodes, m.name)
	}
	r.steps = append(r.steps, step)
}

func (r *rollout) endStep() {
	if len(r.steps) == 0 {
		return
	}
	if s := &r.steps[len(r.steps)-1]; s.End == plan.At(unfinished) {
		s.End = plan.At(r.now)
		s.Moves += r.evictions
	}
}

// replace reimages a drained node, or deletes it and adds another.
func (r *rollout) replace(m *poolNode, over func()) {
	r.replaced++
	switch {
	case r.strategy.blueGreen: // the old node stays cordoned
		over()
	case r.strategy.inPlace:
		down := placement.Cordoned(r.board.Node(m.name))
		down.Spec.Taints = append(down.Spec.Taints, corev1.Taint{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoSchedule})
		r.board.PutNode(down)
		r.after(r.pick(r.set.NodeStart), func() {
			r.board.PutNode(uncordoned(down))
			r.roomFreed = true
			over()
		})
	case !r.strategy.surgeFirst && r.set.Surge > 0: // its replacement exists already
		r.after(r.strategy.deleteDelay, func() {
			r.board.RemoveNode(m.name)
			over()
		})
	default:
		r.after(r.strategy.deleteDelay, func() {
			r.board.RemoveNode(m.name)
			r.addNodes(1, func([]*poolNode) { over() })
		})
	}
}

// addNodes adds nodes of the pool's shape, spread over its zones, with their DaemonSet pods.
func (r *rollout) addNodes(n int, then func([]*poolNode)) {
	r.after(r.pick(r.set.NodeStart), func() {
		var list []*poolNode
		zones := r.pool.zones()
		for range n {
			model := r.pool.model(zones[r.added%len(zones)])
			r.added++
			m := &poolNode{name: fmt.Sprintf("%s-new-%d", r.pool.name, r.added)}
			r.board.PutNode(newNode(model.Node, m.name))
			for _, p := range r.view.PodsOn(model.Name) {
				if action, _ := mechanics.DrainOf(p); action == drain.Skip {
					_ = r.board.Assume(p, m.name) // a pod without a spec uses no capacity
				}
			}
			r.nodes[m.name] = m
			list = append(list, m)
		}
		r.roomFreed, r.last = true, r.now
		then(list)
	})
}

// removeSurge drains and removes the surge nodes that do not replace a quarantined one.
func (r *rollout) removeSurge() {
	going := r.surges[:max(0, len(r.surges)-r.quarantined)]
	if len(going) == 0 || !r.strategy.surgeFirst || r.strategy.blueGreen {
		r.end()
		return
	}
	left := len(going)
	r.beginStep(going)
	for _, m := range going {
		r.cordon(m)
	}
	for _, m := range going {
		r.drain(m, func() {
			r.board.RemoveNode(m.name)
			if left--; left == 0 {
				r.end()
			}
		}, nil)
	}
}

// end ends the upgrade, completed or not.
func (r *rollout) end() {
	r.placeWaiting()
	r.ended = true
}

// cordon cordons a node.
func (r *rollout) cordon(m *poolNode) {
	if n := r.board.Node(m.name); n != nil && !n.Spec.Unschedulable {
		r.board.PutNode(placement.Cordoned(n))
	}
}
