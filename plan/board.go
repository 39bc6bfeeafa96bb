package plan

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Board is a cluster to play on: nodes come and go, and pods find room as the scheduler would give it.
type Board interface {
	// Node returns the node as it stands, or nil. It must not be changed: PutNode a copy.
	Node(name string) *corev1.Node
	// PutNode adds a node, or replaces one and keeps its pods.
	PutNode(n *corev1.Node)
	// RemoveNode takes a node away with the pods on it.
	RemoveNode(name string)
	// Place books a pod like p where it fits. "" with the scheduler's words: it fits nowhere. Not known: nobody
	// can tell, and the message says why.
	Place(p *evidence.Pod) (node, message string, known bool)
	// Assume books the pod on the node, whether it fits or not.
	Assume(p *evidence.Pod, node string) error
	// Forget takes the pod off the node.
	Forget(p *evidence.Pod, node string) error
}

// OnBoard is a Placer that plays on the board and then puts everything back.
func OnBoard(b Board) Placer { return onBoard{b} }

type onBoard struct{ Board }

// Place closes the nodes, and lets the pods go one after the other.
func (b onBoard) Place(pods []*evidence.Pod, closed []string) []Placement {
	var undo []func()
	defer func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}()
	for _, name := range closed {
		if was := b.Node(name); was != nil {
			b.PutNode(shutNode(was))
			undo = append(undo, func() { b.PutNode(was) })
		}
	}
	out := make([]Placement, 0, len(pods))
	for _, p := range pods {
		if b.Forget(p, p.Node) == nil { // else it was never counted
			undo = append(undo, func() { _ = b.Assume(p, p.Node) })
		}
		node, message, known := b.Board.Place(p)
		at := Placement{Room: Fits, Message: message}
		switch {
		case !known:
			at.Room = RoomUnknown
		case node == "":
			at.Room = Pending
		default:
			undo = append(undo, func() { _ = b.Forget(p, node) })
		}
		out = append(out, at)
	}
	return out
}

// shutNode is the node with what a cordon brings.
func shutNode(n *corev1.Node) *corev1.Node {
	n = n.DeepCopy()
	n.Spec.Unschedulable = true
	return n
}
