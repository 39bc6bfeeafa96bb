package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// Verdict says whether a pod finds a node.
type Verdict string

// The verdicts.
const (
	Fits    Verdict = "fits"
	Pending Verdict = "pending"
	Unknown Verdict = "unknown"
)

// Answer is where a pod fits.
type Answer struct {
	Verdict Verdict
	// Message is what the scheduler says of a Pending pod: "0/5 nodes are available: ...", without its words on
	// preemption, which Preempt has. Of an Unknown one it says why nobody can tell, if that is known.
	Message string

	// Unread reports, of an Unknown answer, that the pods of some nodes were not read, and that it fits on none of the others.
	Unread bool

	// Node is where Place booked the pod.
	Node string

	// Feasible are, from Fit, the nodes on which the pod fits now, by name. The scheduler picks one of them by score and,
	// among equals, by chance.
	Feasible []string
	// Refusals are, from Fit, the other nodes, by name, each with the first plugin that refused it.
	Refusals []Refusal
	// Unknown says, from Fit, what could not be judged, so that Feasible may hold too many nodes or too few.
	Unknown []string
}

// Refusal is why a pod does not fit on a node.
type Refusal struct {
	Node    string
	Plugin  string
	Reasons []string
	Lasting bool // ending other pods on the node would not help
}

// Preemption is what the scheduler would end to make room for a pod that fits nowhere.
type Preemption struct {
	// Node and Victims say where and what; empty: ending pods of lower priority does not help.
	Node    string
	Victims []*evidence.Pod
	// Violates is the number of victims whose budget does not allow it. The scheduler ends them all the same.
	Violates int
	// Message is what the scheduler adds to Answer.Message: if it finds nothing to end, and since 1.37 if it does.
	Message string
}

// Sized reports whether it is known what the node can hold: tables do not say that. A node that is not Ready and has no
// allocatable resources is one whose kubelet has never reported any; it holds no pods.
func Sized(n *corev1.Node) bool {
	return len(n.Status.Allocatable) > 0 || (&evidence.Node{Node: n}).Ready() != evidence.True
}
