package evidence

import "time"

// CloudResource is one cloud resource in one answer. Its Go type is the kind of resource: a *CloudCluster, a
// *CloudPool, a *CloudMachine and so on. The package of each cloud converts its documents.
type CloudResource interface {
	// Item returns the common fields.
	Item() *CloudItem
}

// CloudItem has the fields of all resources.
type CloudItem struct {
	Type   string       // name of the kind in the cloud, for display only: "pool", "instance"
	ID     string       // ID in the cloud; for a machine the part of its node's provider ID after "://"; empty: unknown
	Name   string       // display name; empty: unknown
	State  string       // provisioning state of the cloud: "Succeeded", "Updating"; empty: unknown
	Stage  CloudStage   // meaning of State
	Power  string       // power state of the cloud: "running"; empty: unknown
	Up     CloudPower   // meaning of Power
	Errors []CloudError // errors of its last failure, the outermost first
	Ref    Ref          // the answer that contains it
}

// Item returns the item, for types that embed it.
func (r *CloudItem) Item() *CloudItem { return r }

// CloudStage is the result or progress of the last change of a resource.
type CloudStage string

// Stages.
const (
	StageUnknown   CloudStage = ""          // unknown
	StageDone      CloudStage = "done"      // the last change succeeded
	StageFailed    CloudStage = "failed"    // the last change failed
	StageCanceled  CloudStage = "canceled"  // the last change was canceled
	StageChanging  CloudStage = "changing"  // in progress, or an unknown state: clouds add states
	StageUpgrading CloudStage = "upgrading" // in progress, and drains nodes
)

// Failed reports whether the last change of the resource failed.
func (r *CloudItem) Failed() bool { return r.Stage == StageFailed }

// Changing reports whether a change of the resource is in progress.
func (r *CloudItem) Changing() bool { return r.Stage == StageChanging || r.Stage == StageUpgrading }

// CloudPower is a power state.
type CloudPower string

// Power states.
const (
	PowerUnknown  CloudPower = ""         // unknown, or an unknown word
	PowerOn       CloudPower = "on"       // running
	PowerOff      CloudPower = "off"      // stopped or stopping
	PowerReleased CloudPower = "released" // stopped, and its host is deallocated
	PowerEnded    CloudPower = "ended"    // deleted permanently
)

// Off reports whether a machine is stopped and can be started again.
func (p CloudPower) Off() bool { return p == PowerOff || p == PowerReleased }

// CloudCount is a number that may be unknown.
type CloudCount struct {
	Value int // undefined if unknown
	Known bool
}

// CountOf returns a known number.
func CountOf(n int) CloudCount { return CloudCount{n, true} }

// CloudOf returns the resources of one type, in the order of the evidence.
func CloudOf[T CloudResource](d *Data) []T {
	var out []T
	for _, r := range d.CloudResources {
		if one, ok := r.(T); ok {
			out = append(out, one)
		}
	}
	return out
}

// CloudError is one error of a cloud, unwrapped: the innermost is last in a list.
type CloudError struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Target  string `json:"target,omitempty"`
}

// CloudActivity is one entry of an activity log.
type CloudActivity struct {
	Operation string       `json:"operation"`
	ID        string       `json:"id,omitempty"`     // of the operation, which its entries share
	Chain     string       `json:"chain,omitempty"`  // of all operations of one request
	Status    string       `json:"status,omitempty"` // Started, Succeeded, Failed, ...
	Code      string       `json:"code,omitempty"`   // response of the call, if logged: "Conflict"
	Time      time.Time    `json:"time,omitzero"`
	Caller    string       `json:"caller,omitempty"`
	Resource  string       `json:"resource,omitempty"`
	Errors    []CloudError `json:"errors,omitempty"`
	Ref       Ref          `json:"ref,omitzero"`
}
