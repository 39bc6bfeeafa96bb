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
	open            bool // whether the evidence shows all nodes is not known: with others it goes on, without it stops
	flags           *managerFlags
}

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

func (m *managerFlags) stateOf(nodes, unready int) zoneState {
	switch {
	case unready > 0 && unready == nodes:
		return full
	case unready > 2 && float32(unready)/float32(nodes) >= float32(m.unhealthyZone):
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
		lost := m != nil && m.deleted == never && (m.silent != never || m.unready.known || m.shutdown)
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
		z.flags = &w.set.managerFlags
		z.state, z.before = z.flags.stateOf(z.nodes, z.unready), z.flags.stateOf(z.nodes, z.unreadyBefore)
		allFull = allFull && z.state == full
	}
	if shown := w.snap.Covers(evidence.Nodes); shown != evidence.Complete && allFull {
		// A part of the cluster cannot show that nothing else is left.
		for _, z := range zones {
			z.state, z.before, z.open = normal, normal, shown == evidence.Listed
			z.assumedUnharmed = !z.open
		}
		return zones
	}
	for _, z := range zones {
		z.master = allFull
	}
	return zones
}

// open tells whether it is not known if the pod's zone goes on adding taints.
func (w *world) open(p *evidence.Pod) bool { return w.zones[zoneKey(w.machines[p.Node].node)].open }

// stopped tells whether the zone adds no taints that make pods leave.
func (z *zone) stopped() bool {
	return z.master || z.state == partial && z.nodes <= z.flags.largeZone
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

// cutOff is what the controller does when no zone has a ready node left.
const cutOff = "the controller takes itself for the one that is cut off and evicts nothing"

// says is the mechanism by which nodes of the zone are tainted.
func (z *zone) says() string {
	what := "its zone"
	if z.name != "" {
		what = "zone " + z.name
	}
	count := fmt.Sprintf("%d of %d nodes of %s not ready", z.unready, z.nodes, what)
	switch {
	case z.open:
		return "if the cluster has other nodes: " + z.flags.pace(z.flags.rate) + " and zone; if it has none, " + cutOff
	case z.master:
		return "no zone has a ready node left: " + cutOff
	case z.state == partial && z.nodes <= z.flags.largeZone:
		return count + fmt.Sprintf(" (more than 2 and at least %.3g %%, in a zone of at most %d): eviction stops", 100*z.flags.unhealthyZone, z.flags.largeZone)
	case z.state == partial:
		return count + ": " + z.flags.pace(z.flags.slowRate)
	case z.fresh > 1:
		return fmt.Sprintf("%s and zone; %d wait in %s, in an order that nobody knows", z.flags.pace(z.flags.rate), z.fresh, what)
	case z.state == full:
		return count + ": " + z.flags.pace(z.flags.rate) + fmt.Sprintf(", at times only after the first %g s", 1/z.flags.rate)
	}
	return "node lifecycle controller, " + z.flags.pace(z.flags.rate) + " and zone"
}

// pace says a rate as the time between two nodes.
func (m *managerFlags) pace(rate float64) string {
	if rate == 0 {
		return "no node"
	}
	return fmt.Sprintf("one node per %g s", 1/rate)
}

// slots are the first and the last moment, after the node is lost, at which its turn comes.
func (z *zone) slots(set settings, l luck) (least, most time.Duration) {
	if z.stopped() || z.open && l.alone {
		return never, never
	}
	period := slot(set.rate)
	turns := max(z.fresh-1, 0)
	if z.state == partial {
		period = slot(set.slowRate)
	}
	if z.state != z.before && z.state != normal {
		turns++ // the new limiter may start empty
	}
	if turns > 0 && period == never {
		return set.noExecuteLeast, never
	}
	return set.noExecuteLeast, set.noExecuteMost + time.Duration(turns)*period
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

// strays are the nodes of stopped zones of which some may be tainted all the same.
func (w *world) strays() []Stray {
	out := []Stray{}
	for _, key := range w.zoneNames() {
		z := w.zones[key]
		n := z.strays(w.set.race)
		if !z.stopped() || n == 0 {
			continue
		}
		s := Stray{Zone: z.name, UpTo: n, Nodes: []string{}}
		for _, m := range w.list {
			if zoneKey(m.node) == key && !m.tainted.known {
				s.Nodes = append(s.Nodes, m.name)
			}
		}
		out = append(out, s)
	}
	return out
}
