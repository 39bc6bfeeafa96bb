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
	g := &Gate{Name: GateAutoRepair, State: Passed, Why: "no repair, maintenance or removal by the cloud is under way"}
	if !r.s.Read(evidence.Events) {
		g.State, g.Why, g.How = Unjudged, "events could not be read", "the right to list events"
		return g
	}
	for _, n := range r.nodes {
		last := r.lastAutoRepair(n)
		scheduled := n.Condition("VMEventScheduled")
		switch {
		case last != nil && strings.HasSuffix(last.Reason, "Start") && r.opt.Now.Sub(last.Last) < repairTime:
			g.State, g.How = Refused, shell.Format("wait: it may take {time}", repairTime.String())
			g.Why = fmt.Sprintf("auto-repair works on node %s: %s %s ago", n.Name, last.Reason, r.opt.Now.Sub(last.Last).Round(time.Second))
		case scheduled != nil && scheduled.Status == corev1.ConditionTrue:
			g.State, g.Why, g.How = Refused, "the cloud announced an event for node "+n.Name+": "+scheduled.Reason, "wait until it is over"
		case n.Taint(evidence.TaintToBeDeleted) != nil:
			g.State, g.Why, g.How = Refused, "the autoscaler is about to delete node "+n.Name, "wait until it is gone"
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
	g := &Gate{Name: GateHealth, State: Passed, asks: true, How: "find what they share: nodetriage diagnose"}
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
		g.State, g.Why = Refused, fmt.Sprintf("%d of %d nodes there are not Ready: more than one, and more than a fifth", bad, len(among))
	default:
		g.Why, g.How = fmt.Sprintf("%d of %d nodes there are not Ready", bad, len(among)), ""
	}
	return g
}

// machine: protected machines of a scale set are not changed, and a stopped machine cannot restart.
func (r *repairer) machine() *Gate {
	m := r.st.Machine
	if !r.onMachine() {
		return nil
	}
	g := &Gate{Name: GateMachine, State: Passed, Why: "the machine may be acted on"}
	switch {
	case m == nil:
		g.State, g.Why = Unjudged, "the machine could not be read"
	case m.Protected == evidence.True:
		g.State, g.Why, g.How = Refused, "the scale set protects the machine from actions", advice.Default.Command(advice.AllowActions)+", by who set it"
	case r.opt.Action == cloud.Start && m.Power == "":
		g.State, g.Why = Unjudged, "whether the machine runs could not be read"
	case r.opt.Action == cloud.Start && m.Power != "stopped" && m.Power != "deallocated":
		g.State, g.Why, g.How = Refused, "the machine is not off: it is "+m.Power, "nodetriage diagnose"
	case r.opt.Action == cloud.Start && !(m.Spot && m.Power == "deallocated"):
		g.Why = "the machine is " + m.Power
	case strings.Contains(m.Power, "dealloc") && r.opt.Action != cloud.Refresh:
		g.State, g.Why, g.How = Refused, "the machine has no host: it is "+m.Power, shell.Format("nodetriage repair start {node}, which may find no room", r.opt.Subject.Name)
		if m.Spot {
			g.How = "nodetriage repair delete-machine: the cloud took a spot machine back, and starting it again finds no room"
		}
	}
	return g
}

func (r *repairer) model() *Gate {
	if r.opt.Action != cloud.Refresh || r.st.Machine == nil || r.st.Machine.Instance == "" {
		return nil
	}
	g := &Gate{Name: GateModel, State: Passed, Why: "the machine has the newest model: only its state is refreshed", asks: true}
	switch r.st.Machine.Latest {
	case evidence.False:
		g.State, g.Why, g.How = Refused, "the machine does not have the newest model: it may get another image and restart", "drain the node first"
	case evidence.Unknown:
		g.State, g.Why = Unjudged, "whether the machine has the newest model could not be read"
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
	g := &Gate{Name: GateDrained, State: Passed, Why: "the node is closed, and no pod is left to evict", asks: true}
	if !r.s.Read(evidence.Pods) {
		g.State, g.Why, g.How = Unjudged, "its pods could not be read", "the right to list pods"
		return g
	}
	var left []string
	for _, p := range r.moving(n) {
		left = append(left, p.Key())
	}
	switch {
	case len(left) > 0:
		g.State, g.Why = Refused, wording.Count(len(left), "pod")+" would end without warning: "+wording.Some(left)
	case !n.Spec.Unschedulable:
		g.State, g.Why = Refused, "the node is open: pods may come to it"
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
	g := &Gate{Name: GateSystem, State: Refused, Why: "no other node of a system pool is Ready: the cluster's own pods would have no place", How: "make another system node ready first"}
	for _, n := range r.s.Data().Nodes {
		_, of := n.PoolLabel()
		if n.Ready() == evidence.True && mode[of] == "System" && !n.Spec.Unschedulable && !slices.Contains(r.nodes, n) {
			return &Gate{Name: GateSystem, State: Passed, Why: "node " + n.Name + " of system pool " + of + " stays"}
		}
	}
	return g
}

// upgradeBudgets: a reconcile resumes an interrupted upgrade, which drains nodes.
func (r *repairer) upgradeBudgets() *Gate {
	if r.opt.Action != cloud.UpgradeImage && (r.opt.Action != cloud.Reconcile || !r.upgradePending()) {
		return nil
	}
	upgrade := "an upgrade will go on"
	if r.opt.Action == cloud.UpgradeImage {
		upgrade = "it drains every node"
	}
	g := &Gate{Name: GateBudgets, State: Passed, Why: upgrade + "; every budget on those nodes allows an eviction", asks: true}
	if !r.s.Read(evidence.PDBs) {
		g.State, g.Why = Unjudged, upgrade+", and budgets could not be read"
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
		g.State, g.Why = Refused, upgrade+", and these budgets allow no eviction: "+wording.Some(stuck)
		g.How = "nodetriage check shows what to do about them"
	}
	return g
}
