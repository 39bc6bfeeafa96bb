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

// MaxAge is how old what a repair rests on may be when it begins.
const MaxAge = 5 * time.Minute

// Risk is what a repair can cost at most.
type Risk string

// The risks.
const (
	Safe         Risk = "safe"         // nothing that runs is touched
	Disruptive   Risk = "disruptive"   // a machine stops, or pools change
	Irreversible Risk = "irreversible" // machines are gone for good
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
	State      string           `json:"state"` // of what is to be changed, now
	Request    cloud.Request    `json:"request"`
	Effects    []string         `json:"effects"`
	Gates      []Gate           `json:"gates"`
	Pinned     []Pinned         `json:"pinned"` // pods that no other pool would take
	Verify     []string         `json:"verify"` // what must hold at its end
	Bundle     string           `json:"bundle"` // where the evidence is saved before anything is done
	// Saved is what agents saved on nodes whose running system ends: it is fetched before anything is done.
	Saved []plan.Saved `json:"saved,omitempty"`
	// Knowledge is that by which causes were found.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`

	Change cloud.Change `json:"-"` // ready to begin
	// Ends are the nodes whose running system ends with the change, or may: what is on them alone is lost then.
	Ends []string `json:"-"`
}

// Gate is one thing that must hold before a repair begins.
type Gate struct {
	Name   GateName   `json:"name"`
	State  GateState  `json:"state"`
	Why    string     `json:"why"`
	How    shell.Text `json:"how,omitempty"` // how to get it out of the way
	asks   bool       // a person may take its harm
	soften bool       // who cannot be asked answers later: the cloud itself
}

// GateState is how a gate stands.
type GateState string

// The states. Deferred: it could not be judged here, and the cloud judges it again by itself.
const (
	Passed   GateState = "passed"
	Refused  GateState = "refused"
	Accepted GateState = "accepted"
	Unjudged GateState = "unknown"
	Deferred GateState = "deferred"
)

// GateName is a gate in one word.
type GateName string

// The gates, in the order in which they are judged.
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

// Consents are the gates whose harm a person may accept.
var Consents = []GateName{GateCause, GateBudgets, GateHealth, GateModel, GateDrained, GatePinned, GateBound, GateLoss}

// Options say what a repair is planned on.
type Options struct {
	Action   cloud.Verb
	Subject  evidence.Subject
	Now      time.Time       // how old the evidence is, is judged by
	Standing *cloud.Standing // nil: nobody could be asked
	Report   *triage.Report  // of the same evidence
	Accept   []GateName
	Count    int            // AddPool, ScalePool
	Board    placement.Open // nil: nobody can tell where pods fit
}

// repairer makes one plan.
type repairer struct {
	target
	plan *Plan
}

// New plans one change. Every gate that concerns it is judged, also behind one that refuses.
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
	}
	r.find()
	r.plan.Pool, r.plan.State = r.pool, r.state()
	r.plan.Ends = r.ends()
	r.effects()
	judges := []func() *Gate{
		r.age, r.subscription, r.power, r.operation, r.autoRepair, r.lock, r.lockdown, r.rights, r.counts, r.cause, r.upgradeBudgets,
		r.health, r.machine, r.model, r.drained, r.systemPool, r.pinned, r.bound, r.loss,
	}
	if opt.Standing == nil { // one gate says so for all that the cloud decides
		judges = []func() *Gate{r.age, r.operation, r.autoRepair, r.cause, r.health, r.drained, r.pinned, r.loss}
	}
	for _, judge := range judges {
		if g := judge(); g != nil {
			r.gate(*g)
		}
	}
	return r.plan
}

// gate notes how a gate stands, and what that makes of the plan.
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

// stops reports whether the change stops the one machine.
func (r *repairer) stops() bool {
	switch r.opt.Action {
	case cloud.Reimage, cloud.Restart, cloud.Redeploy, cloud.DeleteMachine:
		return true
	case cloud.Refresh:
		return r.st.Machine != nil && r.st.Machine.Latest == evidence.False
	}
	return false
}

// effects says what the change does, and what must hold at its end.
func (r *repairer) effects() {
	add := func(risk Risk, effects ...string) { r.plan.Risk, r.plan.Effects = risk, effects }
	ready := "node " + r.opt.Subject.Name + " is Ready"
	succeeded := "its state in the cloud is Succeeded"
	again := "what diagnose found before is not found any more"
	switch r.opt.Action {
	case cloud.Reconcile:
		add(Safe, "the cloud completes what it is; an upgrade that stopped goes on, and drains nodes again", "what was changed past the cloud's own API is put back")
		r.plan.Verify = []string{succeeded, again}
	case cloud.Abort:
		add(Safe, "the operation ends where it is; nothing is taken back: nodes may stay cordoned or half upgraded, until a reconcile")
		r.plan.Verify = []string{"its state in the cloud is Canceled, Failed or Succeeded"}
	case cloud.Refresh:
		add(Safe, "the state of the machine is refreshed; it goes on running")
		if r.stops() {
			add(Disruptive, "the machine differs from its model: it may get another image and restart")
		}
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Reimage:
		add(Disruptive, "the machine gets a new system disk and starts anew, 2 to 6 minutes; the node keeps its name", "what lies on the old disk is lost: emptyDir, hostPath, logs, images")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Restart:
		add(Disruptive, "the machine starts anew; pods on it end without warning")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Redeploy:
		add(Disruptive, "the machine moves to another host and starts anew, 5 to 15 minutes; its temporary disk is lost")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.Start:
		add(Safe, "the machine starts, if the cloud has room for it, and costs money again")
		r.plan.Verify = []string{succeeded, ready, again}
	case cloud.UpgradeImage:
		add(Disruptive, fmt.Sprintf("each of %s is drained and gets the newest image, as many at a time as the pool's surge allows", wording.Count(len(r.nodes), "node")),
			"what lies on the old disks is lost: emptyDir, hostPath, logs, images")
		r.plan.Verify = []string{succeeded, "the nodes of the pool are Ready, open, and have one image"}
	case cloud.DeleteMachine:
		add(Irreversible, "the machine and its disk are gone, and the count of the pool is one less")
		r.plan.Verify = []string{"node " + r.opt.Subject.Name + " is gone", succeeded}
	case cloud.AddPool:
		add(Disruptive, fmt.Sprintf("a pool with %s is made with the settings of another; they cost money", wording.Count(r.st.Change.Count, "machine")))
		r.plan.Verify = []string{succeeded, wording.Count(r.st.Change.Count, "node") + " of the pool are Ready"}
	case cloud.ScalePool:
		r.scaling(add)
		r.plan.Verify = []string{succeeded, "the pool has " + wording.Count(r.st.Change.Count, "node")}
	case cloud.DeletePool:
		pods := 0
		for _, n := range r.nodes {
			pods += len(r.moving(n))
		}
		add(Irreversible, fmt.Sprintf("%s and their disks are gone; %s to go elsewhere", wording.Count(len(r.nodes), "node"), wording.Counted(pods, "pod on them has", "pods on them have")))
		r.plan.Verify = []string{"the pool and its nodes are gone"}
	}
}

func (r *repairer) scaling(add func(Risk, ...string)) {
	u := r.unit()
	if u == nil || u.Count < 0 {
		add(Disruptive, "the pool gets "+wording.Count(r.st.Change.Count, "machine"))
		return
	}
	if less := u.Count - r.st.Change.Count; less > 0 {
		add(Irreversible, fmt.Sprintf("the pool has %d machines and gets %d: the cloud chooses which %d go", u.Count, r.st.Change.Count, less))
		return
	}
	add(Disruptive, fmt.Sprintf("the pool has %d machines and gets %d; they cost money", u.Count, r.st.Change.Count))
}

// moving are the pods of a node that have to go elsewhere when it goes.
func (r *repairer) moving(n *evidence.Node) []*evidence.Pod {
	var out []*evidence.Pod
	for _, p := range r.s.PodsOn(n.Name) {
		if action, _ := mechanics.DrainOf(p); action == mechanics.Evict && !p.Finished() {
			out = append(out, p)
		}
	}
	return out
}

// loss: what cannot be taken back is never done in passing.
func (r *repairer) loss() *Gate {
	if r.plan.Risk != Irreversible {
		return nil
	}
	return &Gate{Name: GateLoss, State: Refused, asks: true, Why: "it cannot be taken back: machines and their disks are deleted"}
}
