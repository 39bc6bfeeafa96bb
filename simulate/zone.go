package simulate

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// The zones of the node lifecycle controller, which slow down or stop the tainting when many nodes fail
// (kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go, handleDisruption and ComputeZoneState;
// k8s.io/component-helpers/node/topology GetZoneKey, v1.36.3).

type zoneState int

const (
	normal zoneState = iota
	partial
	full
)

type zone struct {
	name            string
	nodes, unready  int // as the statistics of the controller count them, after the event
	unreadyBefore   int
	fresh           int // nodes that wait for their taint
	state, before   zoneState
	master          bool // all zones are fully disrupted
	assumedUnharmed bool // the evidence does not show the rest of the zone
}

const (
	largeZone     = 50   // nodes
	unhealthyZone = 0.55 // share of nodes
)

// zoneKey is the zone of a node; the beta labels win.
func zoneKey(n *evidence.Node) string {
	first := func(keys ...string) string {
		for _, k := range keys {
			if v := n.Labels[k]; v != "" {
				return v
			}
		}
		return ""
	}
	zone := first(corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyZone)
	region := first(corev1.LabelFailureDomainBetaRegion, corev1.LabelTopologyRegion)
	if zone == "" && region == "" {
		return ""
	}
	return region + "/" + zone
}

// ZoneOf is the value of the node's zone label; empty: it has none.
func ZoneOf(n *evidence.Node) string {
	if z := n.Labels[corev1.LabelFailureDomainBetaZone]; z != "" {
		return z
	}
	return n.Labels[corev1.LabelTopologyZone]
}

func stateOf(nodes, unready int) zoneState {
	switch {
	case unready > 0 && unready == nodes:
		return full
	case unready > 2 && float64(unready) >= unhealthyZone*float64(nodes):
		return partial
	}
	return normal
}

// newZones counts all zones as they are when every machine of the scenario is lost.
func (w *world) newZones() map[string]*zone {
	zones := map[string]*zone{}
	for _, n := range w.snap.Data().Nodes {
		key := zoneKey(n)
		z := zones[key]
		if z == nil {
			z = &zone{name: ZoneOf(n)}
			zones[key] = z
		}
		m := w.machines[n.Name]
		_, excluded := n.Labels["node.kubernetes.io/exclude-disruption"]
		lost := m != nil && m.deleted == never && (m.silent != never || m.unready.known)
		if lost && !m.tainted.known {
			z.fresh++
		}
		if excluded {
			continue
		}
		z.nodes++
		if lost || m == nil && n.Ready() != evidence.True {
			z.unready++
		}
		if n.Ready() != evidence.True {
			z.unreadyBefore++
		}
	}
	allFull := len(zones) > 0
	for _, z := range zones {
		z.state, z.before = stateOf(z.nodes, z.unready), stateOf(z.nodes, z.unreadyBefore)
		allFull = allFull && z.state == full
	}
	if w.snap.Covers(evidence.Nodes) != evidence.Complete && allFull {
		// A part of the cluster cannot show that nothing else is left.
		for _, z := range zones {
			z.state, z.before, z.assumedUnharmed = normal, normal, true
		}
		return zones
	}
	for _, z := range zones {
		z.master = allFull
	}
	return zones
}

// stopped tells whether the zone adds no taints that make pods leave.
func (z *zone) stopped() bool {
	return z.master || z.state == partial && z.nodes <= largeZone
}

// strays is how many nodes may be tainted before the controller notices what happened to the zone: one in the
// same pass, or those of an earlier pass, at the usual rate.
func (z *zone) strays(race bool) int {
	switch {
	case z.fresh == 0 || z.before != normal:
		return 0
	case z.master:
		if race {
			return 1
		}
		return 0
	}
	return min(z.fresh, 2)
}

// says is the mechanism by which nodes of the zone are tainted.
func (z *zone) says() string {
	what := "its zone"
	if z.name != "" {
		what = "zone " + z.name
	}
	count := fmt.Sprintf("%d of %d nodes of %s not ready", z.unready, z.nodes, what)
	switch {
	case z.master:
		return "no zone has a ready node left: the controller takes itself for the one that is cut off and evicts nothing"
	case z.state == partial && z.nodes <= largeZone:
		return count + " (more than 2 and at least 55 %, in a zone of at most 50): eviction stops"
	case z.state == partial:
		return count + ": one node per 100 s"
	case z.fresh > 1:
		return fmt.Sprintf("one node per 10 s and zone; %d wait in %s, in an order that nobody knows", z.fresh, what)
	case z.state == full:
		return count + ": one node per 10 s, at times only after the first 10 s"
	}
	return "node lifecycle controller, one node per 10 s and zone"
}

// slots are the first and the last moment, after the node is lost, at which its turn comes.
func (z *zone) slots(set settings) (least, most time.Duration) {
	if z.stopped() {
		return never, never
	}
	period := slotPeriod
	turns := max(z.fresh-1, 0)
	if z.state == partial {
		period = slowSlot
	}
	if z.state != z.before && z.state != normal {
		turns++ // the new limiter may start empty
	}
	return set.noExecuteLeast, set.noExecuteMost + time.Duration(turns)*(period+slotDrift)
}

// zoneNames are the zones of the machines, in order.
func (w *world) zoneNames() []string {
	var out []string
	for _, m := range w.list {
		if k := zoneKey(m.node); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
