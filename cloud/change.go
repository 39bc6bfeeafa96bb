package cloud

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Verb is a kind of change.
type Verb string

// The verbs. Those of machines name one machine, always.
const (
	Reconcile     Verb = "reconcile"      // write a cluster or a pool as it is, so that the cloud completes it
	Abort         Verb = "abort"          // end the operation that runs on a cluster or a pool
	Refresh       Verb = "refresh"        // bring one machine to what the cloud says it should be
	Reimage       Verb = "reimage"        // give one machine a new system disk
	Restart       Verb = "restart"        // one machine
	Redeploy      Verb = "redeploy"       // move one machine to another host
	Start         Verb = "start"          // one machine that is off
	DeleteMachine Verb = "delete-machine" // take one machine out of its pool
	AddPool       Verb = "add-pool"       // a pool like another one
	ScalePool     Verb = "scale-pool"     // give a pool another count
	DeletePool    Verb = "delete-pool"    // with all its machines
	UpgradeImage  Verb = "upgrade-image"  // bring the machines of a pool to the newest image of their kind
)

// Change is one change of one thing.
type Change struct {
	Verb Verb `json:"verb"`
	// Target is what is written, by its id in the cloud: a cluster, a pool, a machine. DeleteMachine writes the pool.
	Target  string `json:"target"`
	Machine string `json:"machine,omitempty"` // DeleteMachine: its name in the pool
	Like    string `json:"like,omitempty"`    // AddPool: the pool to copy, by its id
	Count   int    `json:"count,omitempty"`   // AddPool, ScalePool
	Own     Own    `json:"own,omitzero"`      // AddPool: in what it differs from the pool that it copies
	// Version of the target that was looked at; a change of any other is refused.
	Version string `json:"version,omitempty"`
	// Mark is a UUID by which the cloud's log tells this change from others.
	Mark string `json:"mark,omitempty"`
}

// Own is in what a new pool differs from the one that it copies. Lists are joined by commas, which no label or taint holds.
type Own struct {
	Size   string `json:"size,omitempty"`   // of its machines, in the cloud's word; empty: the same
	Labels string `json:"labels,omitempty"` // key=value, besides the others or in place of those with that key
	Taints string `json:"taints,omitempty"` // key=value:Effect, likewise by key and effect
}

// Request is how a cloud is asked for a change.
type Request struct {
	Method  string     `json:"method"`
	Path    string     `json:"path"`
	Body    string     `json:"body,omitempty"` // in words where it is long
	Right   string     `json:"right"`          // what one must be allowed to do
	Command shell.Text `json:"command"`        // the same by the cloud's own tool
	// Lacks are the properties that the request sends and the command cannot.
	Lacks []string `json:"lacks,omitempty"`
}
