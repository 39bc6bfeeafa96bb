package placement

import (
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Once returns a function that creates the Board of s at its first call and returns the same Board afterwards.
func (o Open) Once(s *evidence.Snapshot) func() (Board, error) {
	return sync.OnceValues(func() (Board, error) { return o(s) })
}

// Evacuate returns for each pod where its replacement is scheduled. It assumes that the earlier replacements are
// running, the pods are deleted, and the closed nodes are cordoned. It restores the Board afterwards. Without a Board
// the result is unknown.
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
		if b.Forget(p, p.Node) == nil { // otherwise it was never counted
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

// Cordoned returns a cordoned copy of the node.
func Cordoned(n *corev1.Node) *corev1.Node {
	n = n.DeepCopy()
	n.Spec.Unschedulable = true
	return n
}

// Nearness returns the number of pod affinity terms of the pod. Pods with fewer terms are scheduled first because other
// pods may have an affinity to them.
func Nearness(p *evidence.Pod) int {
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		return len(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	}
	return 0
}
