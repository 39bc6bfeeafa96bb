package cloud

import (
	"context"
	"errors"

	"github.com/nodetriage/nodetriage/evidence"
)

// About is what a change is to be about.
type About struct {
	Verb       Verb
	ProviderID string // of the node; for clusters and pools of any node
	Node       string // its name
	Pool       string // by its name; of a cluster: empty
	Like       string // AddPool: the pool to copy, by its name
	Count      int    // AddPool, ScalePool
	Own        Own    // AddPool
}

// ErrMissing is returned where what a change is about is not there.
var ErrMissing = errors.New("it is not there")

// Inspector looks at what a change rests on: it changes nothing.
type Inspector interface {
	// Inspect reads how things stand right now. What could not be read is in Gaps; the error is that nothing could.
	Inspect(ctx context.Context, about About) (*Standing, error)
}

// Standing is what of the cloud decides whether a change may begin. What is not known is empty, and fails closed.
type Standing struct {
	Change       Change   // ready to begin
	Requested    Request  // what it would send
	Subscription string   // Enabled, Disabled, ...
	Cluster      Unit     // the managed cluster
	Pools        []Unit   // all of them: an operation on one is in the way of every other change
	Pool         *Unit    // the one in question
	Machine      *Machine // the one in question
	Lockdown     evidence.Fact
	Denials      []string // deny assignments that hold for the machines
	Locks        []Lock   // on anything that the change touches
	LocksRead    bool
	Granted      evidence.Fact // that the caller has the right
	Gaps         []evidence.Gap
}

// Lock forbids changes of a scope and of everything in it.
type Lock struct{ Level, Scope string }

// Unit is a cluster or a pool.
type Unit struct {
	Name, ID     string
	Provisioning string // Succeeded, Failed, Updating, ...
	Power        string // Running, Stopped
	Version      string // changes with every write
	Error        string // code of the last failure
	Mode         string // System, User
	Autoscaling  bool
	Spot         bool // the cloud may take its machines back
	Count        int  // wanted; -1: not known
	Capacity     int  // machines of its scale sets; -1: not known, or it has none
	Pending      bool // a newer version is wanted than it has
	DrainMinutes int  // how long the cloud waits for each drain; 0: not known

}

// Settled reports whether no operation runs on it. States are an open set: one that is not known runs.
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
	Protected          evidence.Fact // the scale set may not act on it
	Spot               bool
	Version            string
}
