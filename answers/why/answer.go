package why

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Verdict is the answer in one word.
type Verdict string

// The verdicts, from good to bad, and what could not be told.
const (
	Fine    Verdict = "fine"    // it runs, or it has ended as it should
	Waiting Verdict = "waiting" // it does not yet, and nobody has to act
	Stuck   Verdict = "stuck"   // somebody has to act
	Unknown Verdict = "unknown"
)

// Answer is about one pod or one workload.
type Answer struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	TakenAt    *time.Time       `json:"takenAt"` // null: the evidence tells no time
	Source     string           `json:"source"`
	Subject    evidence.Subject `json:"subject"`
	Verdict    Verdict          `json:"verdict"`
	Summary    string           `json:"summary"`
	Because    []Fact           `json:"because,omitempty"` // of the workload itself
	Pods       []Pod            `json:"pods"`
	// Missing are pods that do not exist: of a StatefulSet, and of a DaemonSet on nodes without one.
	Missing []Missing `json:"missing,omitempty"`
	// NotKnown says what the evidence lacks to be sure.
	NotKnown []string `json:"notKnown,omitempty"`
}

// State is what a pod is doing.
type State string

// The states.
const (
	Gated       State = "gated"       // a scheduling gate keeps it out of the queue
	Pending     State = "pending"     // no node yet
	Starting    State = "starting"    // bound, and not all containers have started
	Terminating State = "terminating" // being deleted
	Lost        State = "lost"        // shown as running on a node that nobody hears from
	Failing     State = "failing"     // started, and not well
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

// Fact is what an answer rests on.
type Fact struct {
	Source string    `json:"source"`
	Text   string    `json:"text"`
	At     time.Time `json:"at,omitzero"`
}

// Step is something to do.
type Step struct {
	What     string       `json:"what"`
	Commands []shell.Text `json:"commands,omitempty"`
	// Nodes are those on which the pod fits then, as tried.
	Nodes []string `json:"nodes,omitempty"`
}

// Missing is a pod that does not exist.
type Missing struct {
	// Due: the controller should have made it; else the node is not meant for it.
	Due     bool   `json:"due"`
	Name    string `json:"name,omitempty"` // of a StatefulSet's pod
	Node    string `json:"node,omitempty"` // of a DaemonSet's pod
	Because string `json:"because"`
}

// Scheduling is what the scheduler's code says of a pod in this cluster.
type Scheduling struct {
	// Message is what the scheduler says now; Reported is what it last said in the cluster.
	Message  string `json:"message,omitempty"`
	Reported string `json:"reported,omitempty"`
	Nodes    int    `json:"nodes"`
	// Asks is what the pod asks of a node, each with the nodes that have it.
	Asks     []string `json:"asks,omitempty"`
	Feasible []string `json:"feasible"`
	Refused  []Group  `json:"refused"`
	// Preempts is what the scheduler ends for the pod.
	Preempts *Preemption `json:"preempts,omitempty"`
}

// Group is the nodes that one plugin refuses with the same words.
type Group struct {
	Plugin  string   `json:"plugin"`
	Reasons []string `json:"reasons"`
	Nodes   []string `json:"nodes"`
	// Lasting: ending other pods there would not help.
	Lasting bool `json:"lasting,omitempty"`
}

// Preemption is pods of lower priority that have to go for this one.
type Preemption struct {
	Node     string   `json:"node"`
	Victims  []string `json:"victims"`
	Violates int      `json:"violatesBudgets,omitempty"`
}
