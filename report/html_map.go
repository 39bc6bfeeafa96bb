package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// mapView is the node map: a table of pools by zones if there are few zones, else a list of groups.
type mapView struct {
	Heading string
	Zones   []string
	Pools   []poolView
	List    []groupView
	Left    string
	Key     []keyView
	Odd     []oddView
	OddLeft string
}

type poolView struct {
	Name   string
	Groups []*groupView // one per zone; nil: the pool has no node in it
}

type groupView struct {
	Name  string
	Cells []cellView
	Note  string
}

// cellView is one node, or several nodes of the same state.
type cellView struct {
	State nodes.State
	Many  string
	Tip   string
	Name  string // of a node; empty: several nodes
	Link  string // to the finding or the row of the node; empty: none
}

type keyView struct {
	State nodes.State
	Says  string
}

type oddView struct{ Name, State, Class, Heartbeat, Pods, CPU, Memory, Notes, Anchor string }

// Limits for drawing a large cluster.
const (
	cellsForAll = 400 // up to this number of nodes, each is a cell
	cellsOfOdd  = 60  // cells of one group in a larger cluster; the rest is counted
	mapZones    = 6
	mapGroups   = 100
	oddRows     = 80
)

// stateKey explains the shapes.
var stateKey = map[nodes.State]string{
	nodes.Silent:    "unreachable: the kubelet stopped posting status",
	nodes.NotReady:  "NotReady",
	nodes.Unhealthy: "unhealthy: Ready, with a problem",
	nodes.Unknown:   "unknown: not in the evidence",
	nodes.Cordoned:  "cordoned",
	nodes.Ready:     "Ready",
}

func newMapView(m *nodes.Map) *mapView {
	v := &mapView{Heading: wording.Count(m.Nodes, "node") + ": " + states(m.States)}
	var zones, pools []string
	for _, g := range m.Groups {
		zones, pools = append(zones, g.Zone), append(pools, g.Pool)
	}
	zones, pools = unique(zones), unique(pools)
	all := m.Nodes <= cellsForAll
	if len(zones) <= mapZones && len(pools)*len(zones) <= mapGroups && len(zones) > 1 {
		v.Zones = apply(zones, func(z string) string { return named(z, "no zone") })
		for _, pool := range pools {
			row := poolView{Name: named(pool, "no pool"), Groups: make([]*groupView, len(zones))}
			for _, g := range m.Groups {
				if g.Pool == pool {
					row.Groups[slices.Index(zones, g.Zone)] = newGroupView(g, all, m.At)
				}
			}
			v.Pools = append(v.Pools, row)
		}
	} else {
		for _, g := range m.Groups[:min(len(m.Groups), mapGroups)] {
			v.List = append(v.List, *newGroupView(g, all, m.At))
		}
		if left := len(m.Groups) - len(v.List); left > 0 {
			v.Left = "and " + wording.Count(left, "more group") + " (-o json has all)"
		}
	}
	for _, s := range nodes.States {
		if m.States[s] > 0 {
			v.Key = append(v.Key, keyView{s, stateKey[s]})
		}
	}
	v.odd(m)
	v.link(nil)
	return v
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func named(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// newGroupView draws each node. In a large cluster it draws unusual nodes and counts the others.
func newGroupView(g nodes.Group, all bool, now *time.Time) *groupView {
	v := &groupView{Name: groupName(g)}
	rest := map[nodes.State]int{}
	for _, state := range nodes.States {
		for _, n := range g.Nodes {
			switch {
			case n.State != state:
			case all || n.Odd() && len(v.Cells) < cellsOfOdd:
				v.Cells = append(v.Cells, cellView{State: state, Tip: cellTip(n, now), Name: n.Name})
			default:
				rest[state]++
			}
		}
	}
	for _, state := range nodes.States {
		if rest[state] > 0 {
			v.Cells = append(v.Cells, cellView{State: state, Many: fmt.Sprint(rest[state]), Tip: fmt.Sprintf("%d more nodes, %s", rest[state], state.Says())})
		}
	}
	var notes []string
	if len(g.Findings) > 0 {
		notes = append(notes, foundSays(g.Findings))
	}
	if len(g.Nodes) > len(v.Cells) {
		notes = append(notes, wording.Count(len(g.Nodes), "node"))
	}
	v.Note = strings.Join(notes, "; ")
	return v
}

// findingAnchor returns the id of a finding's part of the page.
func findingAnchor(i int) string { return fmt.Sprint("finding-", i+1) }

// link links each cell to the first finding about its node, or to its row.
func (v *mapView) link(r *triage.Report) {
	to := map[string]string{}
	for i, o := range v.Odd {
		v.Odd[i].Anchor = fmt.Sprint("node-", i+1)
		to[o.Name] = v.Odd[i].Anchor
	}
	if r != nil {
		linkFindings(r, to)
	}
	set := func(g *groupView) {
		for i := range g.Cells {
			g.Cells[i].Link = to[g.Cells[i].Name]
		}
	}
	for i := range v.List {
		set(&v.List[i])
	}
	for _, p := range v.Pools {
		for _, g := range p.Groups {
			if g != nil {
				set(g)
			}
		}
	}
}

// linkFindings links nodes to the first finding about them that the page shows.
func linkFindings(r *triage.Report, to map[string]string) {
	for i := min(len(r.Findings), htmlFindings) - 1; i >= 0; i-- {
		for _, on := range r.Findings[i].Subjects {
			if on.Kind == "Node" && on.Name != "" {
				to[on.Name] = findingAnchor(i)
			}
		}
	}
}

// cellTip returns the tooltip of a node.
func cellTip(n *nodes.Node, now *time.Time) string {
	out := n.Name + ": " + n.State.Says()
	if d := sinceShort(n.Since, now); d != "" {
		out += " for " + d
	}
	if n.Traits["kubelet"] != "" {
		out += ", kubelet " + n.Traits["kubelet"]
	}
	if n.Pods.Running != nil {
		out += ", " + podCount(n.Pods) + " pods"
	}
	if notes := nodeNotes(n, now); len(notes) > 0 {
		out += "; " + strings.Join(notes, "; ")
	}
	return shorten(out, 500)
}

// odd lists the nodes that need attention, the worst first. The list repeats the tooltips.
func (v *mapView) odd(m *nodes.Map) {
	total := 0
	for _, state := range nodes.States {
		for _, g := range m.Groups {
			for _, n := range g.Nodes {
				if n.State != state || !n.Odd() {
					continue
				}
				if total++; total > oddRows {
					continue
				}
				row := oddView{
					Name: n.Name, State: strings.TrimSpace(n.State.Says() + " " + sinceShort(n.Since, m.At)), Class: stateClass(n.State),
					Heartbeat: dash(sinceShort(n.Heartbeat, m.At)), Pods: podCount(n.Pods), CPU: share(n.CPU), Memory: share(n.Memory),
					Notes: strings.Join(nodeNotes(n, m.At), "; "),
				}
				if row.Heartbeat != "-" {
					row.Heartbeat += " ago"
				}
				v.Odd = append(v.Odd, row)
			}
		}
	}
	if total > oddRows {
		v.OddLeft = "and " + wording.Count(total-oddRows, "more node") + " (-o json has all)"
	}
}

func stateClass(s nodes.State) string {
	switch s {
	case nodes.Silent, nodes.NotReady:
		return "bad"
	case nodes.Unhealthy:
		return "warn"
	case nodes.Cordoned:
		return "cord"
	}
	return ""
}
