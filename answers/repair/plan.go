package repair

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// MaxAge is the maximum age of the evidence when a repair begins.
const MaxAge = 5 * time.Minute

// Risk is the maximum damage of a repair.
type Risk string

// Risks.
const (
	Safe         Risk = "safe"         // nothing that runs is changed
	Disruptive   Risk = "disruptive"   // a machine stops, or pools change
	Irreversible Risk = "irreversible" // machines are deleted
)

// Plan is the plan of one change in the cloud, in its stable JSON form.
type Plan struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"` // RepairPlan
	Action     cloud.Verb       `json:"action"`
	Subject    evidence.Subject `json:"subject"`
	Pool       string           `json:"pool,omitempty"` // of the machine
	Verdict    plan.Verdict     `json:"verdict"`        // clear, blocked, unknown
	TakenAt    time.Time        `json:"takenAt"`
	Source     string           `json:"source"`
	Risk       Risk             `json:"risk"`
	State      string           `json:"state"` // current state of the target
	Request    cloud.Request    `json:"request"`
	Effects    []string         `json:"effects"`
	Gates      []Gate           `json:"gates"`
	Pinned     []Pinned         `json:"pinned"` // pods that fit on no other pool
	Verify     []string         `json:"verify"` // what must be true at the end
	Bundle     string           `json:"bundle"` // the file of the evidence that is saved first
	// Saved lists the archives of agents on nodes that the change stops. They are fetched first.
	Saved []plan.Saved `json:"saved,omitempty"`
	// Apply is the command that carries out the plan.
	Apply shell.Text `json:"apply,omitempty"`
	// Knowledge is the knowledge that found the causes.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`

	Change cloud.Change `json:"-"` // ready to begin
	// Ends are the nodes that the change stops, or may stop. Data that is only on them is lost then.
	Ends []string `json:"-"`
}

// Gate is one condition that must pass before a repair begins.
type Gate struct {
	Name   GateName   `json:"name"`
	State  GateState  `json:"state"`
	Why    string     `json:"why"`
	How    shell.Text `json:"how,omitempty"` // how to make it pass
	asks   bool       // a person may accept its risk
	soften bool       // the cloud itself, which cannot be queried, decides later
}

// GateState is the state of a gate.
type GateState string

// States. Deferred: it could not be judged here, and the cloud judges it later.
const (
	Passed   GateState = "passed"
	Refused  GateState = "refused"
	Accepted GateState = "accepted"
	Unjudged GateState = "unknown"
	Deferred GateState = "deferred"
)

// GateName is the name of a gate.
type GateName string

// Gates, in the order in which they are judged.
const (
	GateAge          GateName = "age"
	GateSubscription GateName = "subscription"
	GatePower        GateName = "power"
	GateOperation    GateName = "operation"
	GateAutoRepair   GateName = "auto-repair"
	GateLock         GateName = "lock"
	GateLockdown     GateName = "lockdown"
	GateRights       GateName = "rights"
	GateCounts       GateName = "counts"
	GateCause        GateName = "cause"
	GateBudgets      GateName = "budgets"
	GateHealth       GateName = "pool-health"
	GateMachine      GateName = "machine"
	GateModel        GateName = "model"
	GateDrained      GateName = "drained"
	GateSystem       GateName = "system-pool"
	GatePinned       GateName = "pinned"
	GateBound        GateName = "bound"
	GateLoss         GateName = "irreversible"
)

// Consents are the gates whose risk a person may accept.
var Consents = []GateName{GateCause, GateBudgets, GateHealth, GateModel, GateDrained, GatePinned, GateBound, GateLoss}

// Options are the options of a repair plan.
type Options struct {
	Action   cloud.Verb
	Subject  evidence.Subject
	Now      time.Time       // the time for the age of the evidence
	Standing *cloud.Standing // nil: the cloud was not queried
	Report   *triage.Report  // of the same evidence
	Accept   []GateName
	Count    int            // AddPool, ScalePool
	Like     string         // AddPool: the pool to copy
	Own      cloud.Own      // AddPool: differences from it
	Request  cloud.Request  // from the evidence, if the cloud was not queried
	Board    placement.Open // nil: it is unknown where pods fit
}

// repairer builds one plan.
type repairer struct {
	target
	plan *Plan
}

// New plans one change. It judges every relevant gate, even after one that blocks.
func New(s *evidence.Snapshot, opt Options) *Plan {
	r := &repairer{target: target{s: s, opt: opt}, plan: &Plan{
		APIVersion: evidence.APIVersion, Kind: "RepairPlan", Action: opt.Action, Subject: opt.Subject, TakenAt: s.TakenAt(), Source: s.Data().Source.String(),
		Effects: []string{}, Gates: []Gate{}, Pinned: []Pinned{}, Verify: []string{},
	}}
	if opt.Report != nil {
		r.plan.Knowledge = opt.Report.Knowledge
	}
	if opt.Standing != nil {
		r.st = *opt.Standing
		r.plan.Request, r.plan.Change = r.st.Requested, r.st.Change
	}
	if opt.Standing == nil {
		r.st.Change.Count = opt.Count
		r.plan.Request = opt.Request
	}
	r.find()
	r.plan.Pool, r.plan.State, r.plan.Apply = r.pool, r.state(), r.apply()
	r.plan.Ends = r.ends()
	r.effects()
	judges := []func() *Gate{
		r.age, r.subscription, r.power, r.operation, r.autoRepair, r.lock, r.lockdown, r.rights, r.counts, r.cause, r.upgradeBudgets,
		r.health, r.machine, r.model, r.drained, r.systemPool, r.pinned, r.bound, r.loss,
	}
	if opt.Standing == nil { // one gate reports it for all cloud gates
		judges = []func() *Gate{r.age, r.operation, r.autoRepair, r.cause, r.health, r.model, r.drained, r.pinned, r.loss}
	}
	for _, judge := range judges {
		if g := judge(); g != nil {
			r.gate(*g)
		}
	}
	return r.plan
}

// gate adds the state of a gate, and updates the verdict.
func (r *repairer) gate(g Gate) {
	switch {
	case g.asks && (g.State == Refused || g.State == Unjudged) && slices.Contains(r.opt.Accept, g.Name):
		g.State = Accepted
	case g.asks && (g.State == Refused || g.State == Unjudged):
		accept := shell.Format("or --accept {gate}", string(g.Name))
		if g.How != "" {
			accept = g.How + "; " + accept
		}
		g.How = accept
	case g.soften && g.State == Unjudged:
		g.State = Deferred
	}
	r.plan.Gates = append(r.plan.Gates, g)
	switch {
	case g.State == Refused:
		r.plan.Verdict = plan.Blocked
	case g.State == Unjudged && r.plan.Verdict != plan.Blocked:
		r.plan.Verdict = plan.Unclear
	case r.plan.Verdict == "":
		r.plan.Verdict = plan.Clear
	}
}

// stops reports whether the change stops one machine.
func (r *repairer) stops() bool {
	switch r.opt.Action {
	case cloud.Reimage, cloud.Restart, cloud.Redeploy, cloud.DeleteMachine:
		return true
	case cloud.Refresh:
		vm := r.vm()
		return vm != nil && vm.Latest == evidence.False
	}
	return false
}

// effects describes the effect of the change, and what must be true at its end.
func (r *repairer) effects() {
	add := func(risk Risk, effects ...string) { r.plan.Risk, r.plan.Effects = risk, effects }
	ready := "node " + r.opt.Subject.Name + " is Ready"
	succeeded := "its state in the cloud is Succeeded"
	again := "the earlier findings are resolved"
	switch r.opt.Action {
	case cloud.Reconcile:
		add(Safe, "the cloud applies the goal state; a stopped upgrade continues and drains nodes again", "changes made outside of the cluster API of the cloud are reverted")
		r.plan.Verify = []string{succeeded, again}
	case cloud.Abort:
		add(Safe, "the operation stops without rollback: nodes may stay cordoned or partly upgraded until a reconcile")
		r.plan.Verify = []string{"its state in the cloud is Canceled, Failed or Succeeded"}
	case cloud.Refresh:
		add(Safe, "the state of the VM is refreshed; it keeps running")
		if r.stops() {
			add(Disruptive, "the VM differs from its model: it may get another image and restart")
		}
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Reimage:
		add(Disruptive, "the VM is reimaged (new OS disk) and reboots, 2-6 min; the node keeps its name", "data on the old disk is lost: emptyDir, hostPath, logs, images")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Restart:
		add(Disruptive, "the VM reboots; its pods are killed without eviction")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Redeploy:
		add(Disruptive, "the VM moves to another host and reboots, 5-15 min; its temporary disk is lost")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Start:
		add(Safe, "the VM starts if the cloud has capacity, and is billed again")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.UpgradeImage:
		add(Disruptive, fmt.Sprintf("each of %s is drained and gets the latest image, as many at a time as the pool's surge allows", wording.Count(len(r.nodes), "node")),
			"data on the old disks is lost: emptyDir, hostPath, logs, images")
		r.plan.Verify = []string{succeeded, "the nodes of the pool are Ready, schedulable, and have the same image"}
	case cloud.DeleteMachine:
		add(Irreversible, "the VM and its disk are deleted, and the node count of the pool decreases by one")
		r.plan.Verify = []string{"node " + r.opt.Subject.Name + " is deleted", succeeded}
	case cloud.AddPool:
		add(Disruptive, r.newPool())
		r.plan.Verify = []string{succeeded, wording.Counted(r.st.Change.Count, "node of the pool is Ready", "nodes of the pool are Ready")}
	case cloud.ScalePool:
		r.scaling(add)
		r.plan.Verify = []string{succeeded, "the pool has " + wording.Count(r.st.Change.Count, "node")}
	case cloud.DeletePool:
		pods := 0
		for _, n := range r.nodes {
			pods += len(r.moving(n))
		}
		add(Irreversible, fmt.Sprintf("%s and their disks are deleted; %s to move to other nodes", wording.Count(len(r.nodes), "node"), wording.Counted(pods, "pod on them has", "pods on them have")))
		r.plan.Verify = []string{"the pool and its nodes are deleted"}
	}
}

func (r *repairer) scaling(add func(Risk, ...string)) {
	u := r.unit()
	if u == nil || u.Count < 0 {
		add(Disruptive, "the pool is scaled to "+wording.Count(r.st.Change.Count, "node"))
		return
	}
	if less := u.Count - r.st.Change.Count; less > 0 {
		add(Irreversible, fmt.Sprintf("the pool is scaled from %d to %s: the cloud chooses %s", u.Count, wording.Count(r.st.Change.Count, "node"), wording.Counted(less, "node that is deleted", "nodes that are deleted")))
		return
	}
	add(Disruptive, fmt.Sprintf("the pool is scaled from %d to %s, which are billed", u.Count, wording.Count(r.st.Change.Count, "node")))
}

// moving returns the pods of a node that must move when the node is deleted.
func (r *repairer) moving(n *evidence.Node) []*evidence.Pod {
	var out []*evidence.Pod
	for _, p := range r.s.PodsOn(n.Name) {
		if action, _ := mechanics.DrainOf(p); action == mechanics.Evict && !p.Finished() {
			out = append(out, p)
		}
	}
	return out
}

// loss: an irreversible change needs consent.
func (r *repairer) loss() *Gate {
	if r.plan.Risk != Irreversible {
		return nil
	}
	return &Gate{Name: GateLoss, State: Refused, asks: true, Why: "it cannot be undone: VMs and their disks are deleted"}
}
