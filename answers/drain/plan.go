package drain

import (
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
)

// Action is what a drain does with a pod.
type Action = mechanics.Drain

// The actions: those of every drain, and that of a pod that it must not or cannot evict.
const (
	Evict = mechanics.Evict
	Skip  = mechanics.Skip
	Wait  = mechanics.AwaitEnd
	Block = Action("block")
)

// Plan is the plan to empty nodes, in its stable JSON form.
type Plan struct {
	APIVersion  string              `json:"apiVersion"`
	Kind        string              `json:"kind"`    // DrainPlan
	TakenAt     *time.Time          `json:"takenAt"` // the time that it is made for; null: the evidence tells none
	Source      string              `json:"source"`
	Nodes       []string            `json:"nodes"`
	Verdict     plan.Verdict        `json:"verdict"`
	Estimate    plan.Interval       `json:"estimate"` // of the pods that can go
	Pods        []Pod               `json:"pods"`     // the blocked first, then in the order of going
	SideEffects []string            `json:"sideEffects"`
	Saved       []plan.Saved        `json:"saved,omitempty"` // what agents saved on the nodes: it is fetched before the cordon
	NotChecked  []triage.NotChecked `json:"notChecked"`

	// AskFirst: nothing but what admission refuses was not read, and that the API server tells when it is asked.
	AskFirst bool `json:"-"`
	// What is to be done besides evicting: budgets to suspend, as namespace/name, and Deployments to surge.
	Suspend []string `json:"-"`
	Surges  []Surge  `json:"-"`
}

// Uncordon is the command by which the nodes take pods again.
func (p *Plan) Uncordon() shell.Text {
	return "kubectl uncordon " + shell.Words("node", p.Nodes...)
}

// Pod is what becomes of one pod of the nodes.
type Pod struct {
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Node      string            `json:"node"`
	Action    Action            `json:"action"`
	Wave      int               `json:"wave"`      // pods of a wave go together, when those of the wave before are replaced; 0: it is not evicted
	Placement placement.Verdict `json:"placement"` // of its replacement
	Message   string            `json:"message"`   // why this action; the scheduler's words where the replacement finds no room
	Blockers  []Blocker         `json:"blockers"`
}

// Key is namespace/name.
func (p *Pod) Key() string { return p.Namespace + "/" + p.Name }

// Kind is a class of blocker.
type Kind string

// The kinds. Some are refused by the API, for others nobody should do it unasked; hooks and finalizers
// only take time.
const (
	Budget      Kind = "pdb"                     // a budget refuses, or lets pods go one after another
	Budgets     Kind = "several-pdbs"            // the eviction API refuses pods that several budgets hold
	Webhook     Kind = "webhook"                 // an admission webhook may refuse, or nobody answers it
	Policy      Kind = "policy"                  // a ValidatingAdmissionPolicy refuses, or may
	Silent      Kind = "kubelet-silent"          // nothing on the node would end the pod
	RuntimeDown Kind = "runtime-down"            // the kubelet is heard from, and cannot end the pod
	Unmanaged   Kind = Kind(mechanics.ThePod)    // nobody makes the pod again
	Foreign     Kind = "foreign-owner"           // nobody here knows whether its controller makes the pod again
	LocalData   Kind = Kind(mechanics.LocalData) // an emptyDir goes with the pod
	HostData    Kind = "host-data"               // a hostPath stays on the node, and the pod goes
	LocalVolume Kind = "local-volume"            // the pod's volume is on the node
	NoRoom      Kind = "no-room"                 // the replacement fits nowhere
	Overdue     Kind = "overdue"                 // the kubelet is heard from, and has not ended a deleted pod in time
	Finalizer   Kind = "finalizer"               // the pod stays until somebody takes its finalizer away
	Grace       Kind = "grace"                   // the pod may take long to end
	ComesBack   Kind = "comes-back"              // the cordon does not keep its replacement away
	Unread      Kind = "unread"                  // what may hold the pod was not read
)

// Consents are the kinds whose harm a person may accept; the pod is evicted then.
var Consents = []Kind{Unmanaged, LocalData, LocalVolume, NoRoom}

// Blocker is one thing that stands in the way of one pod. The numbers are those of a budget, else null.
type Blocker struct {
	Kind    Kind         `json:"kind"`
	Name    string       `json:"name"` // of the object that blocks: namespace/name, or name
	Detail  string       `json:"detail"`
	Allowed *int32       `json:"allowed"`
	Healthy *int32       `json:"healthy"`
	Desired *int32       `json:"desired"`
	Unblock []shell.Text `json:"unblock"` // the least harmful commands, in order; none: it goes by itself
	Harm    string       `json:"harm"`    // what those commands risk

	Passing bool `json:"-"` // it delays, or its harm was accepted
}
