package predict

import (
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Forecast is what happens to the pods of the nodes, in its stable JSON form. All durations count from the event.
type Forecast struct {
	APIVersion  string   `json:"apiVersion"`
	Kind        string   `json:"kind"`
	Node        string   `json:"node"` // the nodes, separated by commas
	Nodes       []string `json:"nodes"`
	Event       Event    `json:"event"`
	Scenario    string   `json:"scenario"` // the event, with the other options
	Source      string   `json:"source"`
	Assumptions []string `json:"assumptions"`
	// Depends are unknown facts that decide what happens. The forecast contains what happens in all cases, and marks what
	// happens only in some as possible.
	Depends []string `json:"depends"`
	// TakenAt is when the evidence was taken, or the time to judge by.
	TakenAt *time.Time `json:"takenAt"` // null: the evidence has no time
	// EventAt is the time of a past event on the clock. Now is how long ago it was.
	EventAt  *time.Time     `json:"eventAt"`
	Now      *plan.Duration `json:"now"`
	Timeline []Moment       `json:"timeline"`
	Pods     []PodFate      `json:"pods"`
	// Strays are nodes that may get the NoExecute taint although their zone has stopped.
	Strays []Stray `json:"strays"`
	// Workloads are the controllers that lose pods.
	Workloads []WorkloadFate `json:"workloads"`
	// Never are events that people expect but that do not happen.
	Never []string `json:"never"`
	// Act is what people can do about that, the least risk first.
	Act []plan.Way `json:"act,omitempty"`
	// NotChecked are partial kinds that the forecast needs.
	NotChecked []evidence.Gap `json:"notChecked,omitempty"`
	// Options are possible actions on nodes that are down.
	Options []Option `json:"options"`
}

// Moment is an event that happens once, between From and To.
type Moment struct {
	plan.Interval
	Subject evidence.Subject `json:"subject"`
	What    string           `json:"what"`
	Why     string           `json:"why"` // the mechanism
	// Possible: it may not happen.
	Possible bool `json:"possible,omitempty"`
}

// Stray is the maximum number of nodes of a zone. Which nodes is unknown.
type Stray struct {
	Zone  string   `json:"zone"`
	Nodes []string `json:"nodes"`
	UpTo  int      `json:"upTo"`
}

// Fate is what happens to a pod, the object and its containers.
type Fate string

// Fates.
const (
	Stays            Fate = "stays"             // keeps running, or runs again, on its node
	Evicted          Fate = "evicted"           // deleted and gone
	StuckTerminating Fate = "stuck-terminating" // deleted, but the object is never removed
	Lost             Fate = "lost"              // deleted, and no controller creates another one
	NeverMoves       Fate = "never-moves"       // on a node that is not working, and nothing deletes it
)

// PodFate is the fate of one pod.
type PodFate struct {
	Namespace  string         `json:"namespace"`
	Name       string         `json:"name"`
	Node       string         `json:"node"`
	Owner      string         `json:"owner"` // Kind/name of the workload; empty: none
	Fate       Fate           `json:"fate"`
	NotReadyAt *plan.Interval `json:"notReadyAt"`
	ReadyAgain *plan.Interval `json:"readyAgainAt"` // after a power-off, plus the start of its containers
	DeletedAt  *plan.Interval `json:"deletedAt"`
	GoneAt     *plan.Interval `json:"goneAt"`
	// Possible: it may not be deleted.
	Possible    bool        `json:"possible,omitempty"`
	Replacement Replacement `json:"replacement"`
	Because     []string    `json:"because"`
}

// ReplacementKind is the action of a pod's controller.
type ReplacementKind string

// Actions of controllers. A controller of an unknown kind waits, as far as is known; the message records that.
const (
	Created ReplacementKind = "created"
	Waits   ReplacementKind = "waits"
	None    ReplacementKind = "none"
)

// Replacement is the new pod.
type Replacement struct {
	Kind ReplacementKind `json:"kind"`
	At   *plan.Interval  `json:"at"` // when its object is created
	// StartsAt is when its volumes can be attached; null: never, or nothing is created.
	StartsAt  *plan.Interval    `json:"startsAt"`
	Placement placement.Verdict `json:"placement"`
	Nodes     int               `json:"nodes"` // that it fits on
	Message   string            `json:"message"`
}

// WorkloadFate is what remains of a workload.
type WorkloadFate struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Wanted    int    `json:"wanted"`
	Hit       int    `json:"hit"`       // its pods on the nodes
	Elsewhere int    `json:"elsewhere"` // its ready pods on other nodes
	// Outage: no pod serves after the event. Jobs do not serve.
	Outage bool `json:"outage"`
	// RestoredAt is when the desired number of pods can run again, plus their start time; null: never without an action.
	RestoredAt *plan.Interval `json:"restoredAt"`
}

// Option is one possible action on nodes that are down.
type Option struct {
	Name     string       `json:"name"` // wait, bring-back, delete-pods, force-delete, delete-node, out-of-service
	Title    string       `json:"title"`
	Risk     string       `json:"risk,omitempty"` // none, low, high
	Commands []shell.Text `json:"commands"`
	// Gone and Restored count pods: those whose object is deleted, and those whose replacement can start.
	Gone       int            `json:"gone"`
	Restored   int            `json:"restored"`
	RestoredOf int            `json:"restoredOf"` // pods that a controller would replace
	GoneAt     *plan.Interval `json:"goneAt"`
	RestoredAt *plan.Interval `json:"restoredAt"`
	// Stateful counts those that must exist only once: of a StatefulSet, or with a volume for one node at a time.
	Stateful   int            `json:"stateful"`
	StatefulOf int            `json:"statefulOf"`
	StatefulAt *plan.Interval `json:"statefulAt"`
	Danger     []string       `json:"danger"`
}
