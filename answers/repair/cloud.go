package repair

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// The gates that depend on the cloud. An unknown state does not pass.

func (r *repairer) age() *Gate {
	g := &Gate{Name: GateAge, State: Passed, How: "plan again with the live cluster"}
	age := r.opt.Now.Sub(r.s.TakenAt())
	switch {
	case r.s.TakenAt().IsZero():
		g.State, g.Why = Unjudged, "the time of the evidence is unknown"
	case age > MaxAge:
		g.State, g.Why = Refused, "the evidence is "+wording.Duration(age)+" old (limit: "+wording.Duration(MaxAge)+")"
	default:
		g.Why = "the evidence is " + wording.Duration(age) + " old"
		g.How = ""
	}
	return g
}

func (r *repairer) subscription() *Gate {
	g := &Gate{Name: GateSubscription, State: Passed, Why: "the subscription is " + r.st.Subscription}
	switch r.st.Subscription {
	case "Enabled":
	case "":
		g.State, g.Why, g.How = Unjudged, "the state of the subscription could not be read", "grant Microsoft.Resources/subscriptions/read"
	default:
		g.State, g.How = Refused, "ask its owner to enable it"
	}
	return g
}

func (r *repairer) power() *Gate {
	g := &Gate{Name: GatePower, State: Passed, Why: "the cluster is running"}
	switch r.st.Cluster.Power {
	case "Running":
	case "":
		g.State, g.Why = Unjudged, "the power state of the cluster could not be read"
	default:
		g.State, g.Why, g.How = Refused, "the cluster is "+r.st.Cluster.Power, advice.Default.Command(advice.StartCluster)
	}
	if g.State != Passed || r.opt.Action == cloud.DeletePool {
		return g
	}
	if p := r.st.Pool; p != nil && p.Power != "" && p.Power != "Running" {
		g.State, g.Why, g.How = Refused, "pool "+p.Name+" is "+p.Power, advice.Default.Command(advice.StartPool)
	}
	return g
}

// operation blocks while anything in the cluster is being changed. Another change then fails or, worse, succeeds.
func (r *repairer) operation() *Gate {
	g := &Gate{Name: GateOperation, State: Passed, Why: "no operation of the cluster or a pool is in progress"}
	if r.st.Cluster.ID == "" {
		g.State, g.Why, g.How = Unjudged, "ongoing cloud operations were not checked", "use the live cluster and log in with the Reader role"
		if state := r.saved(); state != "" {
			g.Why += "; the evidence shows " + state
		}
		return g
	}
	if r.opt.Action == cloud.Abort {
		u := r.unit()
		g.Why = fmt.Sprintf("an operation is in progress: the state is %s", u.Provisioning)
		if u.Settled() {
			g.State, g.Why, g.How = Refused, "there is no operation to abort: the state is "+u.Provisioning, "use nodetriage repair reconcile if it failed"
		}
		return g
	}
	var busy []string
	for _, u := range append([]cloud.Unit{r.st.Cluster}, r.st.Pools...) {
		if !u.Settled() {
			busy = append(busy, fmt.Sprintf("%s is %s", u.Name, cmp.Or(u.Provisioning, "in an unknown state")))
		}
	}
	if m := r.st.Machine; m != nil && !(&cloud.Unit{Provisioning: m.Provisioning}).Settled() {
		busy = append(busy, "the VM is "+cmp.Or(m.Provisioning, "in an unknown state"))
	}
	switch {
	case len(busy) > 0:
		g.State, g.Why, g.How = Refused, "an operation is in progress: "+wording.Some(busy), "wait until it ends, or use nodetriage repair abort"
	case len(r.st.Pools) == 0 && slices.ContainsFunc(r.st.Gaps, func(x evidence.Gap) bool { return strings.HasPrefix(x.What, "pools ") }) && !r.onMachine():
		g.State, g.Why, g.How = Unjudged, "the pools could not be read", "grant the Reader role on the cluster"
	}
	return g
}

// lock: a lock on any resource below blocks the cloud's changes. For one machine only locks above it matter.
func (r *repairer) lock() *Gate {
	if r.opt.Action == cloud.Abort {
		return nil
	}
	g := &Gate{Name: GateLock, State: Passed, Why: "no lock on the cluster, its resource groups or their resources"}
	var holds []string
	for _, l := range r.st.Locks {
		over := strings.HasPrefix(strings.ToLower(r.st.Change.Target)+"/", strings.ToLower(l.Scope)+"/")
		if !r.onMachine() || l.Level == "ReadOnly" && over {
			holds = append(holds, l.Level+" on "+l.Scope)
		}
	}
	switch {
	case len(holds) > 0:
		g.State, g.Why, g.How = Refused, "locked: "+wording.Some(holds), "ask its owner to remove it: az lock list"
	case !r.st.LocksRead:
		g.State, g.Why, g.How = Unjudged, "locks could not be read", "grant Microsoft.Authorization/locks/read on the subscription"
	case r.onMachine() && len(r.st.Locks) > 0:
		g.Why = "no lock on the VM blocks it"
	}
	return g
}

// lockdown: the service may forbid others to change the machines.
func (r *repairer) lockdown() *Gate {
	if !r.onMachine() {
		return nil
	}
	g := &Gate{Name: GateLockdown, State: Passed, Why: "the node resource group is not locked down"}
	const how = "use the cluster API of the cloud: nodetriage repair delete-machine, or reconcile"
	switch {
	case r.st.Lockdown == evidence.True:
		g.State, g.Why, g.How = Refused, "the node resource group is locked down (ReadOnly): only AKS can change VMs", how
	case len(r.st.Denials) > 0:
		g.State, g.Why, g.How = Refused, "denied by "+wording.Some(r.st.Denials), how
	case r.st.Lockdown == evidence.Unknown:
		g.State, g.Why = Unjudged, "the restriction level of the node resource group could not be read"
	}
	return g
}

func (r *repairer) rights() *Gate {
	g := &Gate{Name: GateRights, State: Passed, Why: "you have " + r.st.Requested.Right, soften: true}
	switch r.st.Granted {
	case evidence.False:
		g.State, g.Why, g.How = Refused, "you do not have "+r.st.Requested.Right, "let someone with this permission run the az command"
	case evidence.Unknown:
		g.State, g.Why = Unjudged, "your permissions could not be read; the cloud checks them when it runs"
	}
	return g
}

// Causes that make a request of the cloud fail for as long as they exist.
var (
	// ofService stop every request that the service carries out with the identity of the cluster.
	ofService = []string{"cloud-subscription-disabled", "cloud-credentials-expired", "cloud-permission-denied"}
	// ofMachines stop requests that create machines.
	ofMachines = []string{
		"cloud-policy-denied", "cloud-subnet-full", "cloud-quota-exceeded", "cloud-public-ip-limit", "cloud-capacity-unavailable",
		"cloud-provider-not-registered", "cloud-private-dns-failed", "cloud-resource-missing",
	}
	// ofResources stop requests that change many resources.
	ofResources = []string{"cloud-resource-locked"}
	// ofDrains stop requests that drain nodes.
	ofDrains = []string{"drain-blocked-pdb"}
)

// lasting returns the causes that make the change fail. A change of one machine is not made by the service.
func (r *repairer) lasting() []string {
	switch r.opt.Action {
	case cloud.Reconcile, cloud.UpgradeImage:
		return slices.Concat(ofService, ofResources, ofMachines, ofDrains)
	case cloud.AddPool:
		return slices.Concat(ofService, ofResources, ofMachines)
	case cloud.ScalePool:
		if r.st.Change.Count > len(r.nodes) {
			return slices.Concat(ofService, ofResources, ofMachines)
		}
		return slices.Concat(ofService, ofResources)
	case cloud.DeletePool, cloud.DeleteMachine:
		return slices.Concat(ofService, ofResources)
	}
	return nil
}

func (r *repairer) cause() *Gate {
	lasting := r.lasting()
	if lasting == nil || r.opt.Report == nil {
		return nil
	}
	g := &Gate{Name: GateCause, State: Passed, Why: "no finding that would make it fail", asks: true}
	if why := r.noRoom(); why != "" {
		g.State, g.Why, g.How = Refused, why, "add fewer nodes, or raise the limit first"
		return g
	}
	for _, f := range r.opt.Report.Findings {
		switch {
		case !slices.Contains(lasting, f.Cause):
		case r.recommends(&f):
			g.Why = "found: " + f.Cause + ", whose fix ends with this operation: do its other steps first"
		default:
			g.State, g.Why = Refused, "found: "+f.Cause+": "+f.Summary
			g.How = shell.Format("fix the cause first: nodetriage explain {id}", f.Cause)
			return g
		}
	}
	return g
}

// noRoom says which limit has no room for the nodes that a pool gets; empty: none that was read.
func (r *repairer) noRoom() string {
	more := r.st.Change.Count - len(r.nodes)
	if r.opt.Action != cloud.ScalePool || more <= 0 || len(r.nodes) == 0 {
		return ""
	}
	n := clusterview.NeedsOf(r.s, r.cloudPool(r.opt.Subject.Name), r.nodes[0].Node, more)
	switch {
	case n.LacksCores():
		return fmt.Sprintf("%s more: %d cores, and the quota has %d left", wording.Count(more, "node"), n.Cores, *n.CoresLeft)
	case n.LacksAddresses():
		return fmt.Sprintf("%s more: %s, and the subnet has %d left", wording.Count(more, "node"), wording.Counted(n.Addresses, "address", "addresses"), *n.AddressesLeft)
	}
	return ""
}

// cloudPool returns a pool as the cloud describes it; nil: it is not in the evidence.
func (r *target) cloudPool(name string) *evidence.CloudPool {
	for _, p := range evidence.CloudOf[*evidence.CloudPool](r.s.Data()) {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// recommends reports whether the report itself advises this change of this target: a fix of the finding contains it, or the
// operation is what would show whether the finding still holds.
func (r *repairer) recommends(f *triage.Finding) bool {
	target := r.opt.Subject.Name
	if r.opt.Subject.Kind == "Cluster" {
		target = "cluster"
	}
	command := shell.Format("nodetriage repair {action} {target}", string(r.opt.Action), target)
	is := func(c shell.Text) bool {
		own, _ := c.Unmarked()
		return strings.HasSuffix(strings.TrimSpace(string(own)), string(command))
	}
	about := strings.TrimPrefix(f.Cause, "cloud-")
	return slices.ContainsFunc(f.Remedies, func(m catalog.Remedy) bool { return slices.ContainsFunc(m.Commands, is) }) ||
		slices.ContainsFunc(r.opt.Report.NotChecked, func(n triage.NotChecked) bool { return strings.Contains(n.What, about) && is(n.How) })
}

// bound: an operation that is not overdue is not interrupted.
func (r *repairer) bound() *Gate {
	if r.opt.Action != cloud.Abort || r.unit() == nil || r.unit().Settled() {
		return nil
	}
	u := r.unit()
	most := time.Hour
	if u.Provisioning == "Upgrading" && u.Count > 0 {
		drain := bounds.Times(int64(u.DrainMinutes), time.Minute)
		if drain == 0 {
			drain = 30 * time.Minute // the service's default
		}
		most = max(most, bounds.Times(int64(u.Count), drain+15*time.Minute))
	}
	g := &Gate{Name: GateBound, State: Passed, asks: true, How: "wait"}
	begun := r.begun(u)
	age := r.opt.Now.Sub(begun)
	switch {
	case begun.IsZero():
		g.State, g.Why, g.How = Unjudged, "the start of the operation is not in the activity log", "check it in the portal of the cloud"
	case age < most:
		g.State, g.Why = Refused, fmt.Sprintf("the operation has been running for %s; it can take up to %s", wording.Duration(age), wording.Duration(most))
	default:
		g.Why, g.How = fmt.Sprintf("the operation has been running for %s, longer than the maximum of %s", wording.Duration(age), wording.Duration(most)), ""
	}
	return g
}

// begun returns when the running operation of a unit began: the last one that started and did not end.
func (r *repairer) begun(u *cloud.Unit) time.Time {
	var begun time.Time
	ended := map[string]bool{}
	for _, a := range r.s.Data().CloudActivities {
		if slices.Contains([]string{"Succeeded", "Failed", "Canceled"}, a.Status) {
			ended[a.ID] = true
		}
	}
	for _, a := range r.s.Data().CloudActivities {
		runs := (a.Status == "Started" || a.Status == "Accepted") && !ended[a.ID]
		if runs && strings.EqualFold(a.Resource, u.ID) && a.Time.After(begun) {
			begun = a.Time
		}
	}
	return begun
}
