package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Open creates the Board of a Snapshot. Each call returns an independent Board.
type Open func(*evidence.Snapshot) (Board, error)

// Board is a simulated cluster: nodes are added and removed, and pods are scheduled as the scheduler would.
type Board interface {
	// Nodes returns the names of the nodes, in order.
	Nodes() []string
	// Node returns the current node, or nil. Callers must not modify it but call PutNode with a copy.
	Node(name string) *corev1.Node
	// PutNode adds a node, or replaces it and keeps its pods, for example to cordon, taint or label it.
	PutNode(n *corev1.Node)
	// RemoveNode removes a node and its pods.
	RemoveNode(name string)
	// Free returns the allocatable resources of a node minus requests, never below zero.
	Free(node string) corev1.ResourceList

	// Fit returns the nodes on which the pod fits, as if it were unbound. It does not change the Board.
	Fit(p *evidence.Pod) Answer
	// Place assigns the pod to the emptiest node on which it fits.
	Place(p *evidence.Pod) Answer
	// Preempt returns victims with lower priority for a pod without a feasible node.
	Preempt(p *evidence.Pod) Preemption
	// Assume assigns the pod to the node without checks.
	Assume(p *evidence.Pod, node string) error
	// Forget removes the pod from the node: it is deleted, not only terminating.
	Forget(p *evidence.Pod, node string) error

	// Clone returns an independent copy.
	Clone() (Board, error)
}
