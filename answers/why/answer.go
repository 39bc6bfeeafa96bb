package why

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Verdict is the answer in one word.
type Verdict string

// Verdicts, from good to bad, and unknown.
const (
	Fine    Verdict = "fine"    // it is running, or has completed
	Waiting Verdict = "waiting" // it is not running yet, and needs no action
	Stuck   Verdict = "stuck"   // an action is needed
	Unknown Verdict = "unknown"
)

// Answer is about one pod or one workload.
type Answer struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	TakenAt    *time.Time       `json:"takenAt"` // null: the evidence has no time
	Source     string           `json:"source"`
	Subject    evidence.Subject `json:"subject"`
	Verdict    Verdict          `json:"verdict"`
	Summary    string           `json:"summary"`
	Because    []Fact           `json:"because,omitempty"` // of the workload itself
	Pods       []Pod            `json:"pods"`
	// Missing are pods that do not exist: of a StatefulSet, and of a DaemonSet on nodes without one.
	Missing []Missing `json:"missing,omitempty"`
	// Scale is the trial with another number of replicas.
	Scale *Scale `json:"scale,omitempty"`
	// NotKnown lists what is missing in the evidence for a certain answer.
	NotKnown []string `json:"notKnown,omitempty"`
}

// State is the state of a pod.
type State string

// States.
const (
	Gated       State = "gated"       // a scheduling gate blocks it
	Pending     State = "pending"     // no node yet
	Starting    State = "starting"    // bound, and not all containers have started
	Terminating State = "terminating" // being deleted
	Lost        State = "lost"        // shown as running on an unreachable node
	Failing     State = "failing"     // started, and unhealthy
	Running     State = "running"
	Ended       State = "ended"
)

// Pod is one pod.
type Pod struct {
	Namespace string  `json:"namespace"`
	Name      string  `json:"name"`
	Node      string  `json:"node,omitempty"`
	State     State   `json:"state"`
	Verdict   Verdict `json:"verdict"`
	Summary   string  `json:"summary"`
	// Waits is who has to act: scheduler, kubelet, runtime, finalizer, hook, volume, registry, controller, policy, user.
	Waits      string      `json:"waitsFor,omitempty"`
	Because    []Fact      `json:"because,omitempty"`
	Scheduling *Scheduling `json:"scheduling,omitempty"`
	Do         []Step      `json:"do,omitempty"`
}

// Fact is a piece of evidence of an answer.
type Fact struct {
	Source string    `json:"source"`
	Text   string    `json:"text"`
	At     time.Time `json:"at,omitzero"`
}

// Step is an action.
type Step struct {
	What     string       `json:"what"`
	Risk     string       `json:"risk,omitempty"` // of a change that was tried, and why
	Commands []shell.Text `json:"commands,omitempty"`
	// Nodes are the nodes on which the pod fits after the step, as tried.
	Nodes []string `json:"nodes,omitempty"`
}

// Missing is a pod that does not exist.
type Missing struct {
	// Due: the controller should have created it; else the node is not eligible.
	Due     bool   `json:"due"`
	Name    string `json:"name,omitempty"` // of a StatefulSet's pod
	Node    string `json:"node,omitempty"` // of a DaemonSet's pod
	Because string `json:"because"`
}

// Scheduling is the result of the scheduler's code for a pod in this cluster.
type Scheduling struct {
	// Message is the scheduler's message now. Reported is its last message in the cluster.
	Message  string `json:"message,omitempty"`
	Reported string `json:"reported,omitempty"`
	Nodes    int    `json:"nodes"`
	// Insufficient are the scarce resources, in the scheduler's words: cpu, memory.
	Insufficient []string `json:"insufficient,omitempty"`
	// Asks are the node requirements of the pod, each with the nodes that match.
	Asks     []string `json:"asks,omitempty"`
	Feasible []string `json:"feasible"`
	Refused  []Group  `json:"refused"`
	// Preempts is what the scheduler preempts for the pod.
	Preempts *Preemption `json:"preempts,omitempty"`
}

// Group is the nodes that one plugin rejects with the same message.
type Group struct {
	Plugin  string   `json:"plugin"`
	Reasons []string `json:"reasons"`
	Nodes   []string `json:"nodes"`
	// Lasting: preemption there would not help.
	Lasting bool `json:"lasting,omitempty"`
}

// Preemption is pods of lower priority that would be preempted.
type Preemption struct {
	Node     string   `json:"node"`
	Victims  []string `json:"victims"`
	Violates int      `json:"violatesBudgets,omitempty"`
}
