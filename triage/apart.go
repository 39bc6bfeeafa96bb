package triage

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Apart lists the differences between one node and healthy nodes of its pool, from node reports and the API. A value is compared
// only if all these nodes that report it agree.
type Apart struct {
	Node string `json:"node"`
	// Peers are the healthy nodes that the node is compared with.
	Peers []string `json:"twins"`
	// Differences are sorted: configuration before consequences, then what can explain the node's first finding, then the next,
	// then the newest change first.
	Differences []Difference `json:"differences"`
}

// Difference is one value that the node has and all its healthy peers have differently.
type Difference struct {
	// Area is an area of the node's setup, or "labels", "taints", "versions", "devices", "daemonsets".
	Area  string `json:"area"`
	What  string `json:"what"`  // a file and its setting, a unit, a route, a label
	Here  string `json:"here"`  // "none": not present
	There string `json:"there"` // the value of the first peer
	// Since is when the file was changed or the unit entered its state; null: unknown.
	Since *time.Time `json:"since"`
	// Explains is the first finding of the node that this area can cause; empty: none.
	Explains string `json:"explains,omitempty"`
	// Follows: a state that faults cause, such as the state of a unit, and not a setting.
	Follows bool `json:"follows"`
}

// Areas of differences that come from the API or from hardware.
const (
	areaLabels   = "labels"
	areaTaints   = "taints"
	areaVersions = "versions"
	areaDevices  = "devices"
	areaDaemons  = "daemonsets"
)

// areas are all areas, the best hints at a fault first.
var areas = slices.Concat(nodereport.SetupAreas, []string{areaVersions, areaDevices, areaDaemons, areaTaints, areaLabels})

const (
	mostApart       = 20 // nodes that are compared
	mostDifferences = 100
)

// apart compares the selected nodes, or else the unhealthy nodes, with healthy nodes of their pools. It needs node reports that
// contain the setup.
func apart(in Input, r *Report) []Apart {
	reports := setups(in.Snapshot)
	if len(reports) < 2 {
		return nil
	}
	c := newComparer(in.Snapshot)
	wrong := troubled(in.Snapshot, r.Findings)
	var out []Apart
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		node := in.Snapshot.Node(name)
		unwell := wrong[name] != "" || node != nil && sick(node)
		if len(in.Nodes) > 0 && !slices.Contains(in.Nodes, name) || len(in.Nodes) == 0 && !unwell {
			continue
		}
		peers := healthyPeers(in, reports, name, wrong)
		if len(peers) == 0 || len(out) == mostApart {
			continue
		}
		found := Apart{Node: name, Differences: c.apart(reports[name], peers, suspects(in, r.Findings, name))}
		for _, t := range peers {
			found.Peers = append(found.Peers, t.Node)
		}
		if len(found.Differences) > 0 {
			out = append(out, found)
		}
	}
	return out
}

// setups returns the newest report with a setup for each node.
func setups(s *evidence.Snapshot) map[string]*nodereport.Report {
	out := map[string]*nodereport.Report{}
	for _, r := range s.Data().NodeReports {
		ofNode := r.Node != "" && !r.Away
		newest := out[r.Node] == nil || r.TakenAt.After(out[r.Node].TakenAt)
		if r.Setup != nil && ofNode && newest {
			out[r.Node] = r
		}
	}
	return out
}

// troubled returns the nodes that have findings, with the worst severity of each.
func troubled(s *evidence.Snapshot, findings []Finding) map[string]catalog.Severity {
	out := map[string]catalog.Severity{}
	for _, f := range findings {
		if f.Severity == catalog.Info || f.Certainty == Possible {
			continue
		}
		for _, subject := range f.subjects() {
			name := placeOf(s, subject).name
			if worst, known := out[name]; name != "" && (!known || f.Severity.Rank() < worst.Rank()) {
				out[name] = f.Severity
			}
		}
	}
	return out
}

// healthyPeers returns the nodes to compare with. Nodes with at most warnings are preferred, if there are any.
func healthyPeers(in Input, reports map[string]*nodereport.Report, name string, wrong map[string]catalog.Severity) []*nodereport.Report {
	var well, ready []*nodereport.Report
	for _, other := range slices.Sorted(maps.Keys(reports)) {
		if len(ready) == mostPeers {
			break
		}
		asked := other == name || slices.Contains(in.Nodes, other)
		if asked || !healthyPeer(in.Snapshot, reports[name], reports[other]) {
			continue
		}
		ready = append(ready, reports[other])
		if worst := wrong[other]; worst == "" || worst == catalog.Warning {
			well = append(well, reports[other])
		}
	}
	if len(well) > 0 {
		return well
	}
	return ready
}

// healthyPeer reports whether the other node is Ready and in the same pool. If the API data of one of them is missing, it must have
// the same operating system.
func healthyPeer(s *evidence.Snapshot, r, other *nodereport.Report) bool {
	a, b := s.Node(r.Node), s.Node(other.Node)
	if a == nil || b == nil || a.Partial || b.Partial {
		unready := b != nil && b.Ready() == evidence.False
		return !unready && oneSystem(r, other)
	}
	return peer(a, b) && b.Ready() == evidence.True && !sick(b)
}

// oneSystem reports whether two node reports name the same operating system.
func oneSystem(r, other *nodereport.Report) bool {
	return r.Machine != nil && other.Machine != nil && r.Machine.System == other.Machine.System
}

// suspect is a finding of a node, with the areas in which its cause can be.
type suspect struct {
	cause string
	areas []string
}

// suspects returns the suspects of a node, the first finding first.
func suspects(in Input, findings []Finding, node string) []suspect {
	var out []suspect
	for _, f := range findings {
		c := in.Catalog.Cause(f.Cause)
		here := slices.ContainsFunc(f.subjects(), func(s evidence.Subject) bool { return placeOf(in.Snapshot, s).name == node })
		if c != nil && here && f.Severity != catalog.Info && f.Certainty != Possible {
			out = append(out, suspect{f.Cause, areasOf(c)})
		}
	}
	return out
}

// apart returns the sorted differences of one node.
func (c *comparer) apart(here *nodereport.Report, peers []*nodereport.Report, suspected []suspect) []Difference {
	set := newSameness(c.s, append([]*nodereport.Report{here}, peers...))
	out := slices.Concat(compareSetups(here, peers, set), compareStates(here, peers, set), c.compareObjects(c.s.Node(here.Node)))
	rank := map[string]int{} // of areas
	for i := range out {
		area := out[i].Area
		rank[area] = slices.IndexFunc(suspected, func(s suspect) bool { return slices.Contains(s.areas, area) })
		if rank[area] < 0 {
			rank[area] = len(suspected)
			continue
		}
		out[i].Explains = suspected[rank[area]].cause
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(falseFirst(a.Follows, b.Follows), rank[a.Area]-rank[b.Area], newerFirst(a.Since, b.Since),
			cmp.Compare(slices.Index(areas, a.Area), slices.Index(areas, b.Area)), strings.Compare(a.What, b.What), strings.Compare(a.Here, b.Here)) < 0
	})
	return out[:min(len(out), mostDifferences)]
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// newerFirst sorts newer times first and nil last.
func newerFirst(a, b *time.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return b.Compare(*a)
}

// compareObjects returns the differences in API objects, compared with all healthy nodes of the pool: nearly all must agree. A
// label needs two peers, because a label of a single peer is likely specific to it.
func (c *comparer) compareObjects(n *evidence.Node) []Difference {
	if n == nil {
		return nil
	}
	peers := c.peers(n)
	candidates := map[trait]bool{}
	for _, o := range append([]*evidence.Node{n}, peers...) {
		c.each(o, func(t trait, _ string) { candidates[t] = t.kind != kubeletConfig }) // the node's own file is more accurate
	}
	var out []Difference
	for t, wanted := range candidates {
		least := 1
		if t.kind == nodeLabel {
			least = 2
		}
		v, shown := c.of(n, t)
		there, agree := c.common(peers, t, least)
		if wanted && shown && agree && there != v {
			gone := t.kind == daemon && v == "" // the pod does not start or was evicted
			out = append(out, Difference{Area: traitAreas[t.kind], What: t.name, Here: cmp.Or(v, none), There: cmp.Or(there, none), Follows: gone})
		}
	}
	for _, a := range attributes {
		if v, there := a.of(n), nearlyAll(peers, a.of); v != "" && there != "" && v != there && a.name != "zone" {
			out = append(out, Difference{Area: areaVersions, What: a.name, Here: v, There: there})
		}
	}
	return out
}

var traitAreas = map[traitKind]string{device: areaDevices, daemon: areaDaemons, taint: areaTaints, nodeLabel: areaLabels}
