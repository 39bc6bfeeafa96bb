package predict

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Forecast is what happens to the pods of the nodes, in its stable JSON form. All durations count from the
// event.
type Forecast struct {
	APIVersion  string   `json:"apiVersion"`
	Kind        string   `json:"kind"`
	Node        string   `json:"node"` // the nodes, with commas between them
	Nodes       []string `json:"nodes"`
	Event       Event    `json:"event"`
	Scenario    string   `json:"scenario"` // the event, with what else was asked for
	Source      string   `json:"source"`
	Assumptions []string `json:"assumptions"`
	// Depends are facts that are not known and that decide what happens: the forecast has what happens either way, and what
	// happens only one way as possible.
	Depends []string `json:"depends"`
	// TakenAt is when the evidence was taken, or the time to judge by.
	TakenAt *time.Time `json:"takenAt"` // null: the evidence tells no time
	// EventAt is the wall clock's time of the event, where it has happened; Now is how long that was ago.
	EventAt  *time.Time `json:"eventAt"`
	Now      *Duration  `json:"now"`
	Timeline []Moment   `json:"timeline"`
	Pods     []PodFate  `json:"pods"`
	// Strays are nodes that may get the taint that makes pods leave although their zone has stopped.
	Strays []Stray `json:"strays"`
	// Workloads are the controllers that lose pods.
	Workloads []WorkloadFate `json:"workloads"`
	// Never are events that people wait for in vain.
	Never []string `json:"never"`
	// NotChecked are kinds on which the forecast rests and of which more exists, or may exist, than was read.
	NotChecked []evidence.Gap `json:"notChecked,omitempty"`
	// Options are what can be done about nodes that are down, side by side.
	Options []Option `json:"options"`
}

// Moment is something that happens once, between From and To.
type Moment struct {
	Span
	Subject evidence.Subject `json:"subject"`
	What    string           `json:"what"`
	Why     string           `json:"why"` // the mechanism
	// Possible: it may as well not happen.
	Possible bool `json:"possible,omitempty"`
}

// Stray is up to that many of the nodes of a zone, which ones is not known.
type Stray struct {
	Zone  string   `json:"zone"`
	Nodes []string `json:"nodes"`
	UpTo  int      `json:"upTo"`
}

// Fate is what becomes of a pod, the object and its containers.
type Fate string

// The fates.
const (
	Stays            Fate = "stays"             // runs on, or runs again, on its node
	Evicted          Fate = "evicted"           // deleted and gone
	StuckTerminating Fate = "stuck-terminating" // deleted, and nothing removes the object
	Lost             Fate = "lost"              // deleted, and nobody makes another one
	NeverMoves       Fate = "never-moves"       // on a node that does not work, and nothing deletes it
)

// PodFate is the fate of one pod.
type PodFate struct {
	Namespace  string `json:"namespace"`
	Name       string `json:"name"`
	Node       string `json:"node"`
	Owner      string `json:"owner"` // Kind/name of the workload; empty: none
	Fate       Fate   `json:"fate"`
	NotReadyAt *Span  `json:"notReadyAt"`
	ReadyAgain *Span  `json:"readyAgainAt"` // and, after a machine was off, the time that its containers take to start
	DeletedAt  *Span  `json:"deletedAt"`
	GoneAt     *Span  `json:"goneAt"`
	// Possible: it may as well not be deleted.
	Possible    bool        `json:"possible,omitempty"`
	Replacement Replacement `json:"replacement"`
	Because     []string    `json:"because"`
}

// ReplacementKind says what the controller of a pod does.
type ReplacementKind string

// What controllers do. A controller of a kind that nobody here knows waits, as far as anybody can tell; the message
// says so.
const (
	Created ReplacementKind = "created"
	Waits   ReplacementKind = "waits"
	None    ReplacementKind = "none"
)

// Replacement is the pod that takes the place.
type Replacement struct {
	Kind ReplacementKind `json:"kind"`
	At   *Span           `json:"at"` // when its object is created
	// StartsAt is from when its volumes can be attached; null: never, or nothing is created.
	StartsAt  *Span             `json:"startsAt"`
	Placement placement.Verdict `json:"placement"`
	Nodes     int               `json:"nodes"` // that it fits on
	Message   string            `json:"message"`
}

// WorkloadFate is what a controller is left with.
type WorkloadFate struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Wanted    int    `json:"wanted"`
	Hit       int    `json:"hit"`       // its pods on the nodes
	Elsewhere int    `json:"elsewhere"` // its ready pods on other nodes
	// Outage: nothing serves from the event on. Jobs serve nobody.
	Outage bool `json:"outage"`
	// RestoredAt is when as many pods as wanted can run again, plus the time that they take to start;
	// null: never by itself.
	RestoredAt *Span `json:"restoredAt"`
}

// Option is one possible action on nodes that are down.
type Option struct {
	Name     string       `json:"name"` // wait, bring-back, delete-pods, force-delete, delete-node, out-of-service
	Title    string       `json:"title"`
	Commands []shell.Text `json:"commands"`
	// Gone and Restored count pods: those whose object goes away, and those of which a new one can start.
	Gone       int   `json:"gone"`
	Restored   int   `json:"restored"`
	RestoredOf int   `json:"restoredOf"` // pods that a controller would replace
	GoneAt     *Span `json:"goneAt"`
	RestoredAt *Span `json:"restoredAt"`
	// Stateful are those among them of which there must be only one: of a StatefulSet, or with a volume that
	// one node at a time may have.
	Stateful   int      `json:"stateful"`
	StatefulOf int      `json:"statefulOf"`
	StatefulAt *Span    `json:"statefulAt"`
	Danger     []string `json:"danger"`
}
