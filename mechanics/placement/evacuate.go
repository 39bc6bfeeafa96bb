package placement

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Once returns a function that makes the Board of s at its first call, and then returns the same one.
func (o Open) Once(s *evidence.Snapshot) func() (Board, error) {
	return sync.OnceValues(func() (Board, error) { return o(s) })
}

// Evacuate says for each pod where its replacement would go, as if the replacements of the pods before it ran already,
// the pods themselves were gone, and the closed nodes were cordoned. Then it puts the board back as it was. Without a
// board nobody can tell.
func Evacuate(board func() (Board, error), pods []*evidence.Pod, closed []string) []Answer {
	b, err := board()
	if err != nil {
		return slices.Repeat([]Answer{{Verdict: Unknown, Message: err.Error()}}, len(pods))
	}
	var undo []func()
	defer func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}()
	for _, name := range closed {
		if was := b.Node(name); was != nil {
			b.PutNode(Cordoned(was))
			undo = append(undo, func() { b.PutNode(was) })
		}
	}
	out := make([]Answer, 0, len(pods))
	for _, p := range pods {
		if b.Forget(p, p.Node) == nil { // else it was never counted
			undo = append(undo, func() { _ = b.Assume(p, p.Node) })
		}
		answer := b.Place(p)
		if answer.Verdict == Fits {
			undo = append(undo, func() { _ = b.Forget(p, answer.Node) })
		}
		out = append(out, answer)
	}
	return out
}

// Cordoned is a copy of the node that is cordoned.
func Cordoned(n *corev1.Node) *corev1.Node {
	n = n.DeepCopy()
	n.Spec.Unschedulable = true
	return n
}

// Nearness is how many kinds of pods must be near the pod. Where the pods of a node or pool find a place in turn, those with
// the least go first: what the others want to be near may be among them.
func Nearness(p *evidence.Pod) int {
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		return len(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	}
	return 0
}
