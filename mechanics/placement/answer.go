package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Verdict is whether a pod fits on a node.
type Verdict string

// Verdicts.
const (
	Fits    Verdict = "fits"
	Pending Verdict = "pending"
	Unknown Verdict = "unknown"
)

// Answer is where a pod fits.
type Answer struct {
	Verdict Verdict
	// Message is the scheduler message for a Pending pod: "0/5 nodes are available: ...", without the part about
	// preemption, which Preempt returns. For an Unknown verdict it is the reason, if known.
	Message string

	// Unread reports, for an Unknown verdict, that the pods of some nodes are not in the evidence and the pod fits on no
	// other node.
	Unread bool

	// Node is the node to which Place assigned the pod.
	Node string

	// Feasible are, from Fit, the nodes on which the pod fits now, by name. The scheduler picks one by score, and
	// randomly among equal scores.
	Feasible []string
	// Refusals are, from Fit, the other nodes, by name, each with the first plugin that rejected it.
	Refusals []Refusal
	// Unknown is, from Fit, what could not be evaluated. Feasible may then have too many or too few nodes.
	Unknown []string
}

// Refusal is why a pod does not fit on a node.
type Refusal struct {
	Node    string
	Plugin  string
	Reasons []string
	Lasting bool // evicting other pods on the node does not help
}

// Preemption is what the scheduler would preempt for a pod that fits on no node.
type Preemption struct {
	// Node and Victims are empty if preempting pods with lower priority does not help.
	Node    string
	Victims []*evidence.Pod
	// Violates is the number of victims whose PodDisruptionBudget does not allow it. The scheduler preempts them anyway.
	Violates int
	// Message is what the scheduler appends to Answer.Message: if preemption does not help, and since 1.37 also if it
	// does.
	Message string
}

// Sized reports whether the allocatable resources of the node are known; tables do not have them. A node that is not
// Ready and has no allocatable resources has a kubelet that never reported them, so it accepts no pods.
func Sized(n *corev1.Node) bool {
	return len(n.Status.Allocatable) > 0 || (&evidence.Node{Node: n}).Ready() != evidence.True
}
