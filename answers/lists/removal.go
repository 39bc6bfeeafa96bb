package lists

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// Removal is the cost of removing a pool.
type Removal struct {
	Pods    int      `json:"pods"`    // that must move
	Alone   int      `json:"alone"`   // of these, those without a controller
	Pending *int     `json:"pending"` // of these, those whose replacement would stay Pending; null: unknown
	AtLeast int      `json:"atLeast"` // that stay Pending with any capacity: no other node matches their requirements
	Names   []string `json:"names"`   // of those that would stay Pending, namespace/name
	Why     string   `json:"why"`     // the scheduler's message for the first; else why it is unknown
}

// most returns the number of pods that would stay Pending, as far as it is known.
func (r Removal) most() int {
	if r.Pending != nil {
		return *r.Pending
	}
	return r.AtLeast
}

// worth limits how many pairs of a pod and a node the scheduler checks for one list, and for one pool. It checks some millions
// a second.
const (
	worthOfList = 3_000_000
	worthOfPool = 12_000_000
)

// pricer computes the cost of removing pools. It uses the scheduler as long as that is fast.
type pricer struct {
	snap  *evidence.Snapshot
	open  placement.Open
	board placement.Board
	err   error
	left  int
	one   bool // a pool was chosen
}

func newPricer(s *evidence.Snapshot, open placement.Open, one bool) *pricer {
	p := &pricer{snap: s, open: open, left: worthOfList, one: one}
	if one {
		p.left = worthOfPool
	}
	return p
}

// of returns the cost of removing these nodes.
func (p *pricer) of(nodes []*evidence.Node) Removal {
	out := Removal{Names: []string{}}
	for _, k := range []evidence.Kind{evidence.Pods, evidence.Nodes} {
		if p.snap.Covers(k) != evidence.Complete {
			out.Why = fmt.Sprintf("not all %s were read", k)
			return out
		}
	}
	gone := map[*evidence.Node]bool{}
	for _, n := range nodes {
		gone[n] = true
	}
	var ask []*evidence.Pod
	unsure := 0
	pinned := map[*corev1.PodSpec]bool{} // pods of one template share their spec
	for _, n := range nodes {
		for _, pod := range p.snap.PodsOn(n.Name) {
			if action, _ := mechanics.DrainOf(pod); action != mechanics.Evict || pod.Finished() {
				continue
			}
			out.Pods++
			switch {
			case mechanics.Replaces(pod) == mechanics.NotReplaced:
				out.Alone++
			case pod.Spec == nil || pod.Partial:
				unsure++
			default:
				held, known := pinned[pod.Spec]
				if !known {
					held = p.pinned(pod.Spec, gone)
					pinned[pod.Spec] = held
				}
				if held {
					out.AtLeast++
				}
				ask = append(ask, pod)
			}
		}
	}
	p.ask(&out, nodes, ask, unsure)
	return out
}

// pinned reports whether no remaining node matches the requirements of the pod.
func (p *pricer) pinned(spec *corev1.PodSpec, gone map[*evidence.Node]bool) bool {
	return !slices.ContainsFunc(p.snap.Data().Nodes, func(n *evidence.Node) bool { return !gone[n] && mechanics.Allows(spec, n.Node) })
}

// ask checks with the scheduler where the pods would go.
func (p *pricer) ask(out *Removal, nodes []*evidence.Node, pods []*evidence.Pod, unsure int) {
	cost := len(pods) * len(p.snap.Data().Nodes)
	switch {
	case unsure > 0:
		out.Why = "the requests of " + wording.Count(unsure, "pod") + " are not in the evidence"
		return
	case len(pods) == 0:
		none := 0
		out.Pending = &none
		return
	case p.open == nil:
		out.Why = "the scheduler was not run"
		return
	case cost > p.left && p.one:
		out.Why = wording.Count(len(pods), "pod") + " are too many to schedule"
		return
	case cost > p.left:
		out.Why = "too many pods to schedule for each pool; for one pool: nodetriage pools --pool POOL"
		return
	}
	p.left -= cost
	board, err := p.without(nodes)
	if err != nil {
		out.Why = err.Error()
		return
	}
	// Pods with pod affinity come last, because the pods they refer to may be in the same pool.
	slices.SortStableFunc(pods, func(a, b *evidence.Pod) int { return cmp.Compare(placement.Nearness(a), placement.Nearness(b)) })
	pending, why, unknown := 0, "", ""
	for _, pod := range pods {
		switch answer := board.Place(pod); answer.Verdict {
		case placement.Pending:
			pending++
			out.Names = append(out.Names, pod.Namespace+"/"+pod.Name)
			why = cmp.Or(why, answer.Message)
		case placement.Unknown:
			unknown = cmp.Or(unknown, answer.Message, "unknown where "+pod.Name+" would be scheduled")
		}
	}
	out.Why = why
	if unknown != "" {
		out.AtLeast, out.Why = max(out.AtLeast, pending), unknown
		return
	}
	out.Pending, out.AtLeast = &pending, pending
}

// without returns a board without these nodes and their pods. The first board is kept for the other pools.
func (p *pricer) without(nodes []*evidence.Node) (placement.Board, error) {
	if p.board == nil && p.err == nil {
		p.board, p.err = p.open(p.snap)
	}
	if p.err != nil {
		return nil, p.err
	}
	board, err := p.board, error(nil)
	if p.one {
		p.board = nil // it is not needed again
	} else if board, err = p.board.Clone(); err != nil {
		return nil, err
	}
	for _, n := range nodes {
		board.RemoveNode(n.Name)
	}
	return board, nil
}
