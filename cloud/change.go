package cloud

import "github.com/nodetriage/nodetriage/knowledge/shell"

// Verb is a kind of change.
type Verb string

// Verbs. Those of machines always change one machine.
const (
	Reconcile     Verb = "reconcile"      // update a cluster or pool without changes, so that the cloud completes it
	Abort         Verb = "abort"          // cancel the running operation of a cluster or pool
	Refresh       Verb = "refresh"        // update one machine to the model of its scale set
	Reimage       Verb = "reimage"        // replace the OS disk of one machine
	Restart       Verb = "restart"        // one machine
	Redeploy      Verb = "redeploy"       // move one machine to another host
	Start         Verb = "start"          // one stopped machine
	DeleteMachine Verb = "delete-machine" // remove one machine from its pool
	AddPool       Verb = "add-pool"       // copy a pool
	ScalePool     Verb = "scale-pool"     // change the count of a pool
	DeletePool    Verb = "delete-pool"    // with all its machines
	UpgradeImage  Verb = "upgrade-image"  // upgrade the machines of a pool to the latest node image
)

// Change is one change of one resource.
type Change struct {
	Verb Verb `json:"verb"`
	// Target is the ID of the changed resource: a cluster, a pool, a machine. DeleteMachine changes the pool.
	Target  string `json:"target"`
	Machine string `json:"machine,omitempty"` // DeleteMachine: its name in the pool
	Like    string `json:"like,omitempty"`    // AddPool: ID of the pool to copy
	Count   int    `json:"count,omitempty"`   // AddPool, ScalePool
	Own     Own    `json:"own,omitzero"`      // AddPool: differences from the copied pool
	// Version of the inspected target. The cloud rejects a change of another version.
	Version string `json:"version,omitempty"`
	// Mark is a UUID that identifies this change in the activity log.
	Mark string `json:"mark,omitempty"`
}

// Own has the differences of a new pool from the copied one. Lists are joined by commas, which labels and taints cannot
// contain.
type Own struct {
	Size   string `json:"size,omitempty"`   // VM size; empty: the same
	Labels string `json:"labels,omitempty"` // key=value, added to the labels or replacing those with the same key
	Taints string `json:"taints,omitempty"` // key=value:Effect, added or replacing by key and effect
}

// Request describes the API request of a change.
type Request struct {
	Method  string     `json:"method"`
	Path    string     `json:"path"`
	Body    string     `json:"body,omitempty"` // described if it is long
	Right   string     `json:"right"`          // required permission
	Command shell.Text `json:"command"`        // equivalent command of the cloud's tool
	// Missing are the properties that the request sets and the command cannot.
	Missing []string `json:"lacks,omitempty"`
}
