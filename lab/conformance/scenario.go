//go:build unix

package conformance

import (
	"context"
	"time"
)

// Scenario is a small part of a cluster, what happens to it, and what is asked of predict.
type Scenario struct {
	Name  string
	Shows string // one sentence
	Plane string // the control plane that it runs on
	Quick bool   // a part of go test

	Nodes   int // workers; the first ones go down
	Down    int
	Master  bool   // one more node, with the taint of a control plane
	NoZone  bool   // the nodes have no zone; else they have one of their own
	Zones   int    // that the nodes are in by turns; 0: one
	By      string // --zone or --pool: predict is asked about all its nodes, without their names
	Exclude bool   // the nodes that go down do not count in the statistics of their zone
	Loads   []Load
	Before  []Step // before the snapshot
	Args    []string
	What    act    // what the arguments suppose, made true when predict has spoken, before the event
	Do      []Step // the event; the first one at 0
	// Restart is when the controller manager is killed, since the event, and another one started; 0: it is not. It is
	// that of all scenarios on the control plane, so their events are at their own times before it.
	Restart time.Duration
	Tail    time.Duration
	// Contested: others may take the room that comes back, so where replacements go is not foretold; else it is.
	Contested bool
	Widths    Widths
}

// Step is something done at a time: since the event, or, before it, one after the other.
type Step struct {
	After time.Duration
	Act   act
}

// act does something to the part of the cluster that belongs to a scenario.
type act func(context.Context, *stage) error

// Widths are the sums of terms that intervals may be wide; empty: that of the kind.
type Widths struct {
	NotReady, ReadyAgain, Tainted, Deleted, Gone, Replaced string
}
