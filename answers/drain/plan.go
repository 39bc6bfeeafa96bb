package drain

import (
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
)

// Action is the action of a drain on a pod.
type Action = mechanics.Drain

// Actions: those of every drain, and that for a pod that it must not or cannot evict.
const (
	Evict = mechanics.Evict
	Skip  = mechanics.Skip
	Wait  = mechanics.AwaitEnd
	Block = Action("block")
)

// Plan is the plan of a drain, in its stable JSON form.
type Plan struct {
	APIVersion  string              `json:"apiVersion"`
	Kind        string              `json:"kind"`    // DrainPlan
	TakenAt     *time.Time          `json:"takenAt"` // the time of the plan; null: the evidence has none
	Source      string              `json:"source"`
	Nodes       []string            `json:"nodes"`
	Verdict     plan.Verdict        `json:"verdict"`
	Estimate    plan.Interval       `json:"estimate"`          // for the pods that can be evicted
	Pods        []Pod               `json:"pods"`              // the blocked ones first, then in the order of eviction
	Outages     []Outage            `json:"outages,omitempty"` // workloads without a ready pod while their pods are replaced
	SideEffects []string            `json:"sideEffects"`
	Saved       []plan.Saved        `json:"saved,omitempty"` // archives of the agents on the nodes, which are fetched before the cordon
	NotChecked  []triage.NotChecked `json:"notChecked"`

	// AskFirst: only what admission rejects was not read, and the API server can report that.
	AskFirst bool `json:"-"`
	// Actions other than evictions: PodDisruptionBudgets to suspend, as namespace/name, and Deployments to surge.
	Suspend []string `json:"-"`
	Surges  []Surge  `json:"-"`
	// Accepted are the risks that were accepted for this plan.
	Accepted []Kind `json:"-"`
}

// Again returns the command that carries out the plan, with the options on which it rests.
func (p *Plan) Again() shell.Text {
	out := "nodetriage drain " + shell.Words("node", p.Nodes...)
	if len(p.Surges) > 0 {
		out += " --surge"
	}
	for _, name := range p.Suspend {
		out += shell.Format(" --suspend-pdb {pdb}", name)
	}
	for _, kind := range p.Accepted {
		out += shell.Format(" --accept {risk}", string(kind))
	}
	return out
}

// Uncordon returns the command that uncordons the nodes.
func (p *Plan) Uncordon() shell.Text {
	return "kubectl uncordon " + shell.Words("node", p.Nodes...)
}

// Pod is the plan for one pod of the nodes.
type Pod struct {
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Node      string            `json:"node"`
	Action    Action            `json:"action"`
	Wave      int               `json:"wave"`      // pods of a wave are evicted together, after those of the previous wave are replaced; 0: it is not evicted
	Placement placement.Verdict `json:"placement"` // of its replacement
	Message   string            `json:"message"`   // the reason of the action; the scheduler's message if the replacement does not fit
	Blockers  []Blocker         `json:"blockers"`
}

// Key is namespace/name.
func (p *Pod) Key() string { return p.Namespace + "/" + p.Name }

// Outage is a workload without a ready pod between the eviction of its last ready pods and the start of the new ones.
type Outage struct {
	Namespace string         `json:"namespace"`
	Workload  string         `json:"workload"` // deployment/web
	Pods      []string       `json:"pods"`     // its last ready pods, which are evicted together
	Lasts     *plan.Interval `json:"lasts"`    // null: not known, or until there is capacity for a new pod
	Avoid     []shell.Text   `json:"avoid"`    // the command that starts a new pod first; none: there is no such command
}

// Kind is a class of blocker.
type Kind string

// Kinds. The API rejects some. Others need the consent of a person. Hooks and finalizers only take time.
const (
	Budget      Kind = "pdb"                     // a PodDisruptionBudget rejects the eviction, or allows one pod after another
	Budgets     Kind = "several-pdbs"            // the eviction API rejects pods that several PodDisruptionBudgets select
	Webhook     Kind = "webhook"                 // an admission webhook may reject the eviction, or has no endpoints
	Policy      Kind = "policy"                  // a ValidatingAdmissionPolicy rejects the eviction, or may
	Silent      Kind = "kubelet-silent"          // nothing on the node would terminate the pod
	RuntimeDown Kind = "runtime-down"            // the kubelet is reachable, and cannot terminate the pod
	Unmanaged   Kind = Kind(mechanics.ThePod)    // no controller creates the pod again
	Foreign     Kind = "foreign-owner"           // it is unknown whether its controller creates the pod again
	LocalData   Kind = Kind(mechanics.LocalData) // an emptyDir is lost with the pod
	HostData    Kind = "host-data"               // the data in a hostPath stays on the node, and the pod moves
	LocalVolume Kind = "local-volume"            // the pod's volume is on the node
	NoRoom      Kind = "no-room"                 // the replacement does not fit on any node
	Overdue     Kind = "overdue"                 // the kubelet is reachable, and has not terminated a deleted pod in time
	Finalizer   Kind = "finalizer"               // the pod remains until its finalizer is removed
	Grace       Kind = "grace"                   // the pod may take long to terminate
	ComesBack   Kind = "comes-back"              // the cordon does not keep its replacement away
	Unread      Kind = "unread"                  // evidence of possible blockers was not read
)

// Consents are the kinds whose risk a person may accept. The pod is evicted then.
var Consents = []Kind{Unmanaged, LocalData, HostData, LocalVolume, NoRoom}

var (
	// homeless are the kinds that keep the replacement of a pod Pending.
	homeless = []Kind{NoRoom, LocalVolume}
	// slow are the kinds that take long, or need attention first, although they do not block.
	slow = []Kind{Foreign, Finalizer, Grace, Webhook, Policy, ComesBack}
)

// Blocker is one obstacle of one pod. The numbers are those of a PodDisruptionBudget, else null.
type Blocker struct {
	Kind    Kind         `json:"kind"`
	Name    string       `json:"name"` // of the blocking object: namespace/name, or name
	Detail  string       `json:"detail"`
	Allowed *int32       `json:"allowed"`
	Healthy *int32       `json:"healthy"`
	Desired *int32       `json:"desired"`
	What    string       `json:"what,omitempty"` // what the commands do
	Unblock []shell.Text `json:"unblock"`        // the commands with the least risk, in order; none: it resolves itself
	Harm    string       `json:"harm"`           // the risk of those commands
	// Or are other ways, with more risk.
	Or []plan.Way `json:"or,omitempty"`

	Passing bool `json:"-"` // it only delays, or its risk was accepted
}
