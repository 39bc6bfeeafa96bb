//go:build unix

package conformance

import (
	"context"
	"time"
)

// Scenario is a small part of a cluster, the event in it, and the arguments of predict.
type Scenario struct {
	Name  string
	Shows string // one sentence
	Plane string // its control plane
	Quick bool   // a part of go test

	Nodes   int // workers; the first ones go down
	Down    int
	Master  bool   // an additional node with the control plane taint
	NoZone  bool   // the nodes have no zone label; otherwise the scenario has its own zone
	Zones   int    // number of zones, assigned in turn; 0: one
	By      string // --zone or --pool: predict is asked about all its nodes, without their names
	Exclude bool   // the nodes that go down do not count in the statistics of their zone
	Loads   []Load
	Before  []Step // before the snapshot
	Args    []string
	What    act    // makes the assumptions of the arguments true after predict has run, before the event
	Do      []Step // the event; the first one at 0
	// Restart is the time since the event at which the controller manager is killed and another one started; 0: never.
	// It applies to all scenarios on the control plane, so their events happen at their own times before it.
	Restart time.Duration
	Tail    time.Duration
	// Contested: other pods may take the returning capacity, so the nodes of replacements are not predicted.
	Contested bool
	Widths    Widths
}

// Step is an action at a time since the event. Actions before the event run one after another.
type Step struct {
	After time.Duration
	Act   act
}

// act changes the part of the cluster that belongs to a scenario.
type act func(context.Context, *stage) error

// Widths are the sums of terms that limit the width of intervals; empty: the default of the kind.
type Widths struct {
	NotReady, ReadyAgain, Tainted, Deleted, Gone, Replaced string
}
