package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Open makes the Board of a Snapshot. It may be called several times: each Board is changed on its own.
type Open func(*evidence.Snapshot) (Board, error)

// Board is a cluster to play on: nodes come and go, and pods find room as the scheduler would give it.
type Board interface {
	// Nodes returns the names of the nodes, in order.
	Nodes() []string
	// Node returns the node as it is now, or nil. It must not be changed: PutNode a copy.
	Node(name string) *corev1.Node
	// PutNode adds a node, or replaces one and keeps its pods: to cordon it, to taint it, to label it.
	PutNode(n *corev1.Node)
	// RemoveNode removes a node with the pods on it.
	RemoveNode(name string)
	// Free is what is left to request of a node's allocatable resources, never below zero.
	Free(node string) corev1.ResourceList

	// Fit says on which nodes the pod fits, as if it were not bound yet. The board stays as it is.
	Fit(p *evidence.Pod) Answer
	// Place books the pod on the emptiest of the nodes on which it fits.
	Place(p *evidence.Pod) Answer
	// Preempt looks for pods of lower priority to end, for a pod that Fit found no node for.
	Preempt(p *evidence.Pod) Preemption
	// Assume books the pod on the node, whether it fits or not.
	Assume(p *evidence.Pod, node string) error
	// Forget removes the pod from the node: it is gone, not only being deleted.
	Forget(p *evidence.Pod, node string) error

	// Clone returns a Board that can be changed without changing this one.
	Clone() (Board, error)
}
