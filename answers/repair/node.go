package repair

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// The gates that depend on nodes and pods.

// repairTime is the maximum duration of one step of the service's auto-repair.
const repairTime = 20 * time.Minute

// autoRepair: if the cloud is repairing the machine, or about to stop it, another repair does damage.
func (r *repairer) autoRepair() *Gate {
	if r.opt.Action == cloud.Abort || r.opt.Action == cloud.AddPool {
		return nil
	}
	g := &Gate{Name: GateAutoRepair, State: Passed, Why: "no repair, maintenance or removal by the cloud is in progress"}
	if !r.s.Read(evidence.Events) {
		g.State, g.Why, g.How = Unjudged, "events could not be read", "grant the permission to list events"
		return g
	}
	for _, n := range r.nodes {
		last := r.lastAutoRepair(n)
		scheduled := n.Condition("VMEventScheduled")
		switch {
		case last != nil && strings.HasSuffix(last.Reason, "Start") && r.opt.Now.Sub(last.Last) < repairTime:
			g.State, g.How = Refused, shell.Format("wait: it can take up to {time}", wording.Duration(repairTime))
			g.Why = fmt.Sprintf("auto-repair of node %s is in progress: %s %s ago", n.Name, last.Reason, wording.Duration(r.opt.Now.Sub(last.Last)))
		case scheduled != nil && scheduled.Status == corev1.ConditionTrue:
			g.State, g.Why, g.How = Refused, "the cloud has a scheduled event for node "+n.Name+": "+scheduled.Reason, "wait until it has ended"
		case n.Taint(evidence.TaintToBeDeleted) != nil:
			g.State, g.Why, g.How = Refused, "the autoscaler is about to delete node "+n.Name, "wait until it is deleted"
		}
		if g.State == Refused {
			break
		}
	}
	return g
}

// lastAutoRepair returns the newest event of the cloud's auto-repair of the node; nil if there is none.
func (r *repairer) lastAutoRepair(n *evidence.Node) *evidence.Event {
	for _, e := range slices.Backward(r.s.EventsOf(n.Subject())) {
		if strings.HasPrefix(e.Reason, "NodeReboot") || strings.HasPrefix(e.Reason, "NodeReimage") || strings.HasPrefix(e.Reason, "NodeRedeploy") {
			return e
		}
	}
	return nil
}

// needsHealth are actions that need healthy nodes, in addition to those on one machine.
var needsHealth = []cloud.Verb{cloud.DeleteMachine, cloud.Reconcile, cloud.ScalePool, cloud.UpgradeImage}

// health: if many nodes of a pool are unhealthy, the cause is not in one machine, and a change may break the rest.
func (r *repairer) health() *Gate {
	if !r.onMachine() && !slices.Contains(needsHealth, r.opt.Action) {
		return nil
	}
	g := &Gate{Name: GateHealth, State: Passed, asks: true, How: "find what they have in common: nodetriage diagnose"}
	among := r.nodes
	if r.opt.Subject.Kind == "Node" && r.pool != "" {
		among = r.ofPool(r.pool)
	}
	bad := 0
	for _, n := range among {
		if n.Ready() != evidence.True {
			bad++
		}
	}
	switch {
	case r.s.Covers(evidence.Nodes) != evidence.Complete:
		g.State, g.Why = Unjudged, "not all nodes were read"
	case bad > max(1, len(among)/5):
		g.State, g.Why = Refused, fmt.Sprintf("%d of %d nodes are NotReady: more than one, and more than 20 %%", bad, len(among))
	default:
		g.Why, g.How = fmt.Sprintf("%d of %d nodes are NotReady", bad, len(among)), ""
	}
	return g
}

// machine: protected machines of a scale set are not changed, and a stopped machine cannot restart.
func (r *repairer) machine() *Gate {
	m := r.st.Machine
	if !r.onMachine() {
		return nil
	}
	g := &Gate{Name: GateMachine, State: Passed, Why: "operations on the VM are allowed"}
	switch {
	case m == nil:
		g.State, g.Why = Unjudged, "the VM could not be read"
	case m.Protected == evidence.True:
		g.State, g.Why, g.How = Refused, "the VM has scale set protection", advice.Default.Command(advice.AllowActions)+" (agree with the owner)"
	case r.opt.Action == cloud.Start && m.Power == "":
		g.State, g.Why = Unjudged, "the power state of the VM could not be read"
	case r.opt.Action == cloud.Start && m.Power != "stopped" && m.Power != "deallocated":
		g.State, g.Why, g.How = Refused, "the VM is not off: it is "+m.Power, "nodetriage diagnose"
	case r.opt.Action == cloud.Start && !(m.Spot && m.Power == "deallocated"):
		g.Why = "the VM is " + m.Power
	case strings.Contains(m.Power, "dealloc") && r.opt.Action != cloud.Refresh:
		g.State, g.Why, g.How = Refused, "the VM has no host: it is "+m.Power, shell.Format("nodetriage repair start {node} (fails if the region has no capacity)", r.opt.Subject.Name)
		if m.Spot {
			g.How = "nodetriage repair delete-machine: an evicted spot VM cannot be started without spot capacity"
		}
	}
	return g
}

func (r *repairer) model() *Gate {
	vm := r.vm()
	if r.opt.Action != cloud.Refresh || vm == nil || vm.Instance == "" {
		return nil
	}
	g := &Gate{Name: GateModel, State: Passed, Why: "the VM has the latest model: only its state is refreshed", asks: true}
	switch vm.Latest {
	case evidence.False:
		g.State, g.Why, g.How = Refused, "the VM does not have the latest model: it may get another image and restart", "drain the node first"
	case evidence.Unknown:
		g.State, g.Why = Unjudged, "the model of the VM could not be read"
	}
	return g
}

// drained: stopping a machine terminates its pods without a warning, and data on its disk is lost.
func (r *repairer) drained() *Gate {
	if !r.stops() || len(r.nodes) != 1 {
		return nil
	}
	n := r.nodes[0]
	if n.Silent() {
		return r.unreachable(n)
	}
	g := &Gate{Name: GateDrained, State: Passed, Why: "the node is cordoned, and no pod is left to evict", asks: true}
	if !r.s.Read(evidence.Pods) {
		g.State, g.Why, g.How = Unjudged, "its pods could not be read", "grant the permission to list pods"
		return g
	}
	var left []string
	for _, p := range r.moving(n) {
		left = append(left, p.Key())
	}
	switch {
	case len(left) > 0:
		g.State, g.Why = Refused, wording.Count(len(left), "pod")+" would be killed without eviction: "+wording.Some(left)
	case !n.Spec.Unschedulable:
		g.State, g.Why = Refused, "the node is not cordoned: new pods can be scheduled to it"
	default:
		return g
	}
	g.How = shell.Format("nodetriage drain {node}", n.Name)
	return g
}

// systemPool: the cluster's own pods need a node of a system pool.
func (r *repairer) systemPool() *Gate {
	pool := r.pool
	switch {
	case r.opt.Action == cloud.DeletePool:
		pool = r.opt.Subject.Name
	case !r.stops():
		return nil
	}
	mode := map[string]string{}
	for _, p := range r.st.Pools {
		mode[p.Name] = p.Mode
	}
	if mode[pool] != "System" {
		return nil
	}
	g := &Gate{Name: GateSystem, State: Refused, Why: "no other node of a system pool is Ready: kube-system pods could not be scheduled", How: "fix or add another system node first"}
	for _, n := range r.s.Data().Nodes {
		_, of := n.PoolLabel()
		if n.Ready() == evidence.True && mode[of] == "System" && !n.Spec.Unschedulable && !slices.Contains(r.nodes, n) {
			return &Gate{Name: GateSystem, State: Passed, Why: "node " + n.Name + " of system pool " + of + " remains"}
		}
	}
	return g
}

// upgradeBudgets: a reconcile resumes an interrupted upgrade, which drains nodes.
func (r *repairer) upgradeBudgets() *Gate {
	if r.opt.Action != cloud.UpgradeImage && (r.opt.Action != cloud.Reconcile || !r.upgradePending()) {
		return nil
	}
	upgrade := "an upgrade will continue"
	if r.opt.Action == cloud.UpgradeImage {
		upgrade = "it drains all nodes"
	}
	g := &Gate{Name: GateBudgets, State: Passed, Why: upgrade + "; every PodDisruptionBudget on those nodes allows an eviction", asks: true}
	if !r.s.Read(evidence.PDBs) {
		g.State, g.Why = Unjudged, upgrade+", and PodDisruptionBudgets could not be read"
		return g
	}
	budgets := mechanics.NewBudgets(r.s.Data().PDBs)
	var stuck []string
	for _, n := range r.nodes {
		for _, p := range r.moving(n) {
			for _, b := range budgets.Refusing(p) {
				if key := b.Namespace + "/" + b.Name; !slices.Contains(stuck, key) {
					stuck = append(stuck, key)
				}
			}
		}
	}
	if len(stuck) > 0 {
		g.State, g.Why = Refused, upgrade+", and these PodDisruptionBudgets allow no eviction: "+wording.Some(stuck)
		g.How = "see nodetriage check"
	}
	return g
}
