package evidence

import "time"

// CloudResource is one resource of a cloud, as one answer of it shows it. What it is, is its Go type: a *CloudCluster, a
// *CloudPool, a *CloudMachine and so on. Each cloud's package makes these of its own documents.
type CloudResource interface {
	// Item is what resources of all types have.
	Item() *CloudItem
}

// CloudItem is what resources of all types have.
type CloudItem struct {
	Type   string       // what its cloud calls it, for people: "pool", "instance"; nothing decides by it
	ID     string       // in its cloud; of a machine as it stands in its node's provider id, after "://"; empty: not told
	Name   string       // as people call it; empty: not told
	State  string       // how its last change ended or stands, in the cloud's word: "Succeeded", "Updating"; empty: not told
	Stage  CloudStage   // what that word means
	Power  string       // whether it is switched on, in the cloud's word: "running"; empty: not told
	Up     CloudPower   // what that word means
	Errors []CloudError // that it keeps of its last failure, the outermost first
	Ref    Ref          // the answer that showed it
}

// Item is the item itself, for the types that hold one.
func (r *CloudItem) Item() *CloudItem { return r }

// CloudStage is how the last change of a resource ended or stands.
type CloudStage string

// The stages.
const (
	StageUnknown   CloudStage = ""          // not told
	StageDone      CloudStage = "done"      // the last change succeeded
	StageFailed    CloudStage = "failed"    // it failed
	StageCanceled  CloudStage = "canceled"  // it was called off
	StageChanging  CloudStage = "changing"  // it is under way, or the word is not known: clouds add words
	StageUpgrading CloudStage = "upgrading" // it is under way, and drains nodes
)

// Failed reports whether the last change of the resource failed.
func (r *CloudItem) Failed() bool { return r.Stage == StageFailed }

// Changing reports whether a change of the resource is under way.
func (r *CloudItem) Changing() bool { return r.Stage == StageChanging || r.Stage == StageUpgrading }

// CloudPower is whether something is switched on.
type CloudPower string

// The states of power.
const (
	PowerUnknown  CloudPower = ""         // not told, or a word that is not known
	PowerOn       CloudPower = "on"       // it runs
	PowerOff      CloudPower = "off"      // it is off or going off
	PowerReleased CloudPower = "released" // it is off, and its host was given back
	PowerEnded    CloudPower = "ended"    // it was deleted, and does not come back
)

// Off reports whether a machine is off and can be switched on again.
func (p CloudPower) Off() bool { return p == PowerOff || p == PowerReleased }

// CloudCount is a number that may not have been told.
type CloudCount struct {
	Value int // nothing if it is not known
	Known bool
}

// CountOf is a number that was told.
func CountOf(n int) CloudCount { return CloudCount{n, true} }

// CloudOf are the resources of one type, in the order of the evidence.
func CloudOf[T CloudResource](d *Data) []T {
	var out []T
	for _, r := range d.CloudResources {
		if one, ok := r.(T); ok {
			out = append(out, one)
		}
	}
	return out
}

// CloudError is one error of a cloud, unwound from its nesting: the innermost comes last in a list.
type CloudError struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Target  string `json:"target,omitempty"`
}

// CloudActivity is one entry of an activity log.
type CloudActivity struct {
	Operation string       `json:"operation"`
	ID        string       `json:"id,omitempty"`     // of the operation: its entries have the same
	Chain     string       `json:"chain,omitempty"`  // of operations that one request set off
	Status    string       `json:"status,omitempty"` // Started, Succeeded, Failed, ...
	Code      string       `json:"code,omitempty"`   // how the call was answered, where the log tells it: "Conflict"
	Time      time.Time    `json:"time,omitzero"`
	Caller    string       `json:"caller,omitempty"`
	Resource  string       `json:"resource,omitempty"`
	Errors    []CloudError `json:"errors,omitempty"`
	Ref       Ref          `json:"ref,omitzero"`
}
