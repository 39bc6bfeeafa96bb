package predict

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// replacement is a pod to place: a copy of like, which is on one of the failed nodes, or on none yet.
type replacement struct {
	like *evidence.Pod
	// oldStays: the replaced pod still exists when this one is created, and uses its volumes.
	oldStays bool
	// nodesBack: the nodes have returned when it is created, and also for later ones.
	nodesBack bool
}

// room is the placement of a replacement.
type room struct {
	verdict placement.Verdict
	nodes   int    // number of nodes that it fits on
	message string // the scheduler's message if it fits on none
}

// rooms returns for each pod, in order, where it fits. Each uses the capacity that it finds. There is one answer per pod.
func (sim *simulation) rooms(pods []replacement) []room {
	out := make([]room, len(pods))
	after := sim.aftermath()
	b, err := sim.boardAfter(after)
	if err != nil || !sim.sized(after) {
		for i := range out {
			out[i].verdict = placement.Unknown
			if err != nil {
				out[i].message = err.Error()
			}
		}
		return out
	}
	taken := map[string]int{} // new pods, by node
	back := false
	for i, p := range pods {
		if p.nodesBack && !back {
			back = true
			sim.recover(b, after)
			for _, later := range pods[i:] {
				leave(b, later, after)
			}
		}
		if !back {
			leave(b, p, after)
		}
		out[i] = spread(b, p.like, taken)
	}
	return out
}

// aftermath is the state of the nodes after the event.
type aftermath struct {
	taints map[string][]corev1.Taint // added to nodes, by name
	gone   map[string]bool           // nodes whose objects are deleted
}

func (sim *simulation) aftermath() aftermath {
	a := aftermath{map[string][]corev1.Taint{}, map[string]bool{}}
	for _, m := range sim.list {
		switch {
		case m.deleted != never:
			a.gone[m.name] = true
		case m.added != nil:
			a.taints[m.name] = append(a.taints[m.name], *m.added)
		case m.silent != never || m.unready.known || m.shutdown:
			a.taints[m.name] = append(a.taints[m.name],
				corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoSchedule}, corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoExecute})
		}
		if m.outOfService != never {
			a.taints[m.name] = append(a.taints[m.name], outOfService)
		}
	}
	return a
}

// sized reports whether the evidence contains the capacity of the nodes that the event does not affect.
func (sim *simulation) sized(after aftermath) bool {
	for _, n := range sim.snap.Data().Nodes {
		if after.taints[n.Name] == nil && !after.gone[n.Name] && !placement.Sized(n.Node) {
			return false
		}
	}
	return true
}

// boardAfter returns a board of the cluster after the event.
func (sim *simulation) boardAfter(after aftermath) (placement.Board, error) {
	b, err := sim.board()
	if err != nil {
		return nil, err
	}
	if b, err = b.Clone(); err != nil {
		return nil, err
	}
	for name, taints := range after.taints {
		if n := b.Node(name); n != nil {
			n = n.DeepCopy()
			n.Spec.Taints = append(n.Spec.Taints, taints...)
			b.PutNode(n)
		}
	}
	for name := range after.gone {
		b.RemoveNode(name)
	}
	return b, nil
}

// recover removes the taints of a dead node from returned nodes.
func (sim *simulation) recover(b placement.Board, after aftermath) {
	for name := range after.taints {
		n := sim.snap.Node(name)
		if n == nil {
			continue
		}
		well := n.DeepCopy()
		well.Spec.Taints = nil
		for _, t := range n.Spec.Taints {
			if t.Key != corev1.TaintNodeUnreachable && t.Key != corev1.TaintNodeNotReady {
				well.Spec.Taints = append(well.Spec.Taints, t)
			}
		}
		b.PutNode(well)
	}
}

// leave removes the replaced pod.
func leave(b placement.Board, p replacement, after aftermath) {
	if !p.oldStays && !after.gone[p.like.Node] {
		_ = b.Forget(p.like, p.like.Node) // unless it was never counted
	}
}

// spread places one pod on the node with the fewest new ones.
func spread(b placement.Board, p *evidence.Pod, taken map[string]int) room {
	answer := b.Fit(p)
	if answer.Verdict != placement.Fits {
		return room{verdict: answer.Verdict, message: answer.Message}
	}
	node := answer.Feasible[0]
	for _, n := range answer.Feasible {
		if taken[n] < taken[node] {
			node = n
		}
	}
	taken[node]++
	if err := b.Assume(p, node); err != nil {
		return room{verdict: placement.Unknown, message: err.Error()}
	}
	return room{verdict: placement.Fits, nodes: len(answer.Feasible)}
}
