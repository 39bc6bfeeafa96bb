package predict

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// The zones of the node lifecycle controller, which slow down or stop tainting when many nodes fail (kubernetes
// pkg/controller/nodelifecycle/node_lifecycle_controller.go, handleDisruption and ComputeZoneState;
// k8s.io/component-helpers/node/topology GetZoneKey, v1.36.3).

type zoneState int

const (
	normal zoneState = iota
	partial
	full
)

type zone struct {
	name            string
	nodes, unready  int // as counted by the controller, after the event
	unreadyBefore   int
	awaitingTaint   int // nodes that wait for their NoExecute taint
	state, before   zoneState
	allDisrupted    bool // all zones are fully disrupted
	assumedUnharmed bool // the evidence does not contain the rest of the zone
	unknownRest     bool // it is unknown whether the evidence contains all nodes: if there are others tainting continues, otherwise it stops
	flags           *managerFlags
}

// zoneKey returns the zone of a node. The beta labels take precedence.
func zoneKey(n *evidence.Node) string {
	label := func(keys ...string) string {
		for _, k := range keys {
			if v := n.Labels[k]; v != "" {
				return v
			}
		}
		return ""
	}
	zone := label(corev1.LabelFailureDomainBetaZone, corev1.LabelTopologyZone)
	region := label(corev1.LabelFailureDomainBetaRegion, corev1.LabelTopologyRegion)
	if zone == "" && region == "" {
		return ""
	}
	return region + "/" + zone
}

// ZoneOf returns the value of the node's zone label; empty if it has none.
func ZoneOf(n *evidence.Node) string {
	if z := n.Labels[corev1.LabelFailureDomainBetaZone]; z != "" {
		return z
	}
	return n.Labels[corev1.LabelTopologyZone]
}

func (m *managerFlags) stateOf(nodes, unready int) zoneState {
	switch {
	case unready > 0 && unready == nodes:
		return full
	case unready > 2 && float32(unready)/float32(nodes) >= float32(m.unhealthyZone):
		return partial
	}
	return normal
}

// newZones counts all zones, with every node of the scenario lost.
func (sim *simulation) newZones() map[string]*zone {
	zones := map[string]*zone{}
	for _, n := range sim.snap.Data().Nodes {
		key := zoneKey(n)
		z := zones[key]
		if z == nil {
			z = &zone{name: ZoneOf(n)}
			zones[key] = z
		}
		z.count(n, sim.nodes[n.Name])
	}
	allFull := len(zones) > 0
	for _, z := range zones {
		z.flags = &sim.set.managerFlags
		z.state, z.before = z.flags.stateOf(z.nodes, z.unready), z.flags.stateOf(z.nodes, z.unreadyBefore)
		allFull = allFull && z.state == full
	}
	if shown := sim.snap.Covers(evidence.Nodes); shown != evidence.Complete && allFull {
		// Partial evidence cannot show that there are no other nodes.
		for _, z := range zones {
			z.state, z.before, z.unknownRest = normal, normal, shown == evidence.Listed
			z.assumedUnharmed = !z.unknownRest
		}
		return zones
	}
	for _, z := range zones {
		z.allDisrupted = allFull
	}
	return zones
}

// count adds a node to its zone. m is nil for a node outside the scenario.
func (z *zone) count(n *evidence.Node, m *simNode) {
	lost := m != nil && m.deleted == never && m.unheard()
	if lost && !m.tainted.known {
		z.awaitingTaint++
	}
	if _, excluded := n.Labels["node.kubernetes.io/exclude-disruption"]; excluded {
		return
	}
	z.nodes++
	if lost || m == nil && n.Ready() != evidence.True {
		z.unready++
	}
	if n.Ready() != evidence.True {
		z.unreadyBefore++
	}
}

// restUnknown reports whether it is unknown if tainting continues in the pod's zone.
func (sim *simulation) restUnknown(p *evidence.Pod) bool {
	return sim.zones[zoneKey(sim.nodes[p.Node].node)].unknownRest
}

// stopped reports whether the controller adds no NoExecute taints in the zone.
func (z *zone) stopped() bool {
	return z.allDisrupted || z.state == partial && z.nodes <= z.flags.largeZone
}

// taintedBeforeStop returns how many nodes may be tainted before the controller detects the state of the zone: one in the same
// pass, or those of an earlier pass, at the usual rate.
func (z *zone) taintedBeforeStop(race bool) int {
	switch {
	case z.awaitingTaint == 0 || z.before != normal:
		return 0
	case z.allDisrupted:
		if race {
			return 1
		}
		return 0
	}
	return min(z.awaitingTaint, 2)
}

// cutOff describes the controller's reaction when no zone has a ready node.
const cutOff = "the node controller assumes that it is disconnected itself and evicts nothing"

// mechanism describes how nodes of the zone are tainted.
func (z *zone) mechanism() string {
	what := "its zone"
	if z.name != "" {
		what = "zone " + z.name
	}
	count := fmt.Sprintf("%d of %d nodes of %s NotReady", z.unready, z.nodes, what)
	switch {
	case z.unknownRest:
		return "if the cluster has other Ready nodes: " + z.flags.pace(z.flags.rate) + " and zone; otherwise " + cutOff
	case z.allDisrupted:
		return "no zone has a Ready node left: " + cutOff
	case z.state == partial && z.nodes <= z.flags.largeZone:
		return count + fmt.Sprintf(" (more than 2 and at least %.3g %%, in a zone of at most %d): eviction stops", 100*z.flags.unhealthyZone, z.flags.largeZone)
	case z.state == partial:
		return count + ": " + z.flags.pace(z.flags.slowRate)
	case z.awaitingTaint > 1:
		return fmt.Sprintf("%s and zone; %d wait in %s, in an unknown order", z.flags.pace(z.flags.rate), z.awaitingTaint, what)
	case z.state == full:
		return count + ": " + z.flags.pace(z.flags.rate) + fmt.Sprintf(", at times only after the first %g s", 1/z.flags.rate)
	}
	return "node lifecycle controller, " + z.flags.pace(z.flags.rate) + " and zone"
}

// pace formats a rate as the time between two nodes.
func (m *managerFlags) pace(rate float64) string {
	if rate == 0 {
		return "no node"
	}
	return fmt.Sprintf("one node per %g s", 1/rate)
}

// taintTurn returns the first and the last possible time of the node's turn to be tainted, after it is lost.
func (z *zone) taintTurn(set settings, x extremes) (least, most time.Duration) {
	if z.stopped() || z.unknownRest && x.noOtherNodes {
		return never, never
	}
	period := turnPeriod(set.rate)
	turns := max(z.awaitingTaint-1, 0)
	if z.state == partial {
		period = turnPeriod(set.slowRate)
	}
	if z.state != z.before && z.state != normal {
		turns++ // the new limiter may start empty
	}
	if turns > 0 && period == never {
		return set.noExecuteLeast, never
	}
	return set.noExecuteLeast, set.noExecuteMost + time.Duration(turns)*period
}

// zoneNames returns the zones of the scenario's nodes, in order.
func (sim *simulation) zoneNames() []string {
	var out []string
	for _, m := range sim.list {
		if k := zoneKey(m.node); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// strays returns nodes of stopped zones. Some of them may be tainted before the stop takes effect.
func (sim *simulation) strays() []Stray {
	out := []Stray{}
	for _, key := range sim.zoneNames() {
		z := sim.zones[key]
		n := z.taintedBeforeStop(sim.set.race)
		if !z.stopped() || n == 0 {
			continue
		}
		s := Stray{Zone: z.name, UpTo: n, Nodes: []string{}}
		for _, m := range sim.list {
			if zoneKey(m.node) == key && !m.tainted.known {
				s.Nodes = append(s.Nodes, m.name)
			}
		}
		out = append(out, s)
	}
	return out
}
