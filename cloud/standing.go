package cloud

import (
	"context"
	"errors"

	"github.com/nodetriage/nodetriage/evidence"
)

// About selects the target of a change.
type About struct {
	Verb       Verb
	ProviderID string // of the node; for clusters and pools of any node
	Node       string // name of the node
	Pool       string // name of the pool; empty for a cluster
	Like       string // AddPool: name of the pool to copy
	Count      int    // AddPool, ScalePool
	Own        Own    // AddPool
}

// ErrMissing means that the target of a change does not exist.
var ErrMissing = errors.New("not found")

// Inspector reads the preconditions of a change. It changes nothing.
type Inspector interface {
	// Inspect reads the current state. Failed reads are in Gaps; an error means that all reads failed.
	Inspect(ctx context.Context, about About) (*Standing, error)
}

// Standing has the cloud state that decides whether a change may start. Unknown fields are empty, which fails closed.
type Standing struct {
	Change       Change   // complete, to be sent
	Requested    Request  // the request for it
	Subscription string   // Enabled, Disabled, ...
	Cluster      Unit     // the managed cluster
	Pools        []Unit   // all pools: an operation on one blocks every other change
	Pool         *Unit    // the target
	Machine      *Machine // the target
	Lockdown     evidence.Fact
	Denials      []string // deny assignments that apply to the machines
	Locks        []Lock   // on resources that the change affects
	LocksRead    bool
	Granted      evidence.Fact // the caller has the permission
	Gaps         []evidence.Gap
}

// Lock blocks changes of a scope and of everything in it.
type Lock struct{ Level, Scope string }

// Unit is a cluster or a pool.
type Unit struct {
	Name, ID     string
	Provisioning string // Succeeded, Failed, Updating, ...
	Power        string // Running, Stopped
	Version      string // ETag
	Error        string // code of the last failure
	Mode         string // System, User
	Autoscaling  bool
	Spot         bool // the cloud may preempt its machines
	Count        int  // desired; -1: unknown
	Capacity     int  // machines of its scale sets; -1: unknown, or none
	Pending      bool // a newer version is requested but not installed
	DrainMinutes int  // drain timeout per node; 0: unknown

}

// Settled reports whether no operation is running. The set of states is open: an unknown state means running.
func (u *Unit) Settled() bool {
	switch u.Provisioning {
	case "Succeeded", "Failed", "Canceled":
		return true
	}
	return false
}

// Machine is one virtual machine.
type Machine struct {
	Name, ID, Instance string
	Provisioning       string
	Power              string // running, stopped, deallocated, ...
	Latest             evidence.Fact
	Protected          evidence.Fact // protected from actions of the scale set
	Spot               bool
	Version            string
}
