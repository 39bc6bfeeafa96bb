package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// roomForAll is the number of nodes up to which each gets a line. In larger clusters, nodes without findings are only counted.
const roomForAll = 40

// Map writes all nodes for a terminal, grouped by pool and zone.
func Map(w io.Writer, m *nodes.Map, style Style) error {
	m = cleaned(m)
	p := mapPage{screen: screen{style: style}, m: m, told: map[string]bool{}}
	p.head()
	if m.Nodes > 0 {
		p.all = style.Wide || m.Nodes <= roomForAll || labelled(m)
		p.measure()
		p.groups()
	}
	p.foot()
	writeKnowledge(&p.screen, m.Knowledge)
	_, err := io.WriteString(w, p.String())
	return err
}

// labelled reports whether the user asked for labels. Every node shows them then.
func labelled(m *nodes.Map) bool {
	return slices.ContainsFunc(m.Groups, func(g nodes.Group) bool {
		return slices.ContainsFunc(g.Nodes, func(n *nodes.Node) bool { return n.Labels != nil })
	})
}

type mapPage struct {
	screen
	m      *nodes.Map
	all    bool              // every node gets a line
	common map[string]string // traits that all groups share
	told   map[string]bool   // findings of pools that were written
	usage  bool              // the actual usage of some node is known

	columns []column
	extra   []string // traits with a column
	layout  layout
}

func (p *mapPage) head() {
	rest := p.m.Source
	if p.m.At != nil {
		rest += ", as of " + wording.Instant(*p.m.At)
	}
	p.line("%s  %s", p.style.verdict(p.m.Verdict), wording.WrapFrom(rest, len(p.m.Verdict)+2, p.style.width(), margin))
	if p.m.Nodes == 0 {
		p.line("%s", noNodes(p.m))
		p.found()
		return
	}
	p.line("%s", wording.Wrap(joined("; ", wording.Count(p.m.Nodes, "node")+": "+states(p.m.States), faultCount(p.m.Faults))+hiddenSays(p.m.Hidden, p.m.Filters), p.style.width(), margin))
	if says := mapFree(p.m); says != "" {
		p.line("%s", wording.Wrap(says, p.style.width(), margin))
	}
	p.found()
}

// states counts the nodes in each state, the worst first.
func states(n map[nodes.State]int) string {
	var out []string
	for _, s := range nodes.States {
		if n[s] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[s], s.Says()))
		}
	}
	return strings.Join(out, ", ")
}

// measure finds the traits that all groups share, and fits the table into the terminal.
func (p *mapPage) measure() {
	p.common = map[string]string{}
	for i, g := range p.m.Groups {
		if i == 0 {
			for k, v := range g.Traits {
				p.common[k] = v
			}
		}
		for k, v := range p.common {
			if g.Traits[k] != v {
				delete(p.common, k)
			}
		}
		for _, n := range g.Nodes {
			p.usage = p.usage || n.CPU.Used != nil || n.Memory.Used != nil
		}
	}
	p.columns = []column{
		{"NAME", always}, {"STATE", always}, {"HEARTBEAT", 3}, {"PODS", 2}, {p.shareHead("CPU"), 4}, {p.shareHead("MEM"), 5}, {"FREE", 1},
	}
	if p.style.Wide { // else the groups show them
		p.addTraits()
	}
	var rows []gridRow
	for _, g := range p.m.Groups {
		rows = append(rows, apply(p.shown(g), p.row)...)
	}
	p.layout = p.lay(p.columns, rows, noMark)
	if len(p.common) > 0 && len(p.m.Groups) > 1 {
		p.line("%s", wording.Wrap("All nodes: "+traits(p.common), p.style.width(), margin))
	}
}

// addTraits adds a column for each trait that some node has.
func (p *mapPage) addTraits() {
	for _, trait := range traitOrder {
		if slices.ContainsFunc(p.m.Groups, func(g nodes.Group) bool {
			return slices.ContainsFunc(g.Nodes, func(n *nodes.Node) bool { return n.Traits[trait] != "" })
		}) {
			p.extra = append(p.extra, trait)
			p.columns = append(p.columns, column{strings.ToUpper(trait), always})
		}
	}
}

// traitOrder puts the most significant traits first.
var traitOrder = []string{"kubelet", "node image", "kernel", "runtime", "os image", "instance type"}

func traits(m map[string]string) string {
	var out []string
	for _, k := range traitOrder {
		if m[k] != "" {
			out = append(out, k+" "+m[k])
		}
	}
	return strings.Join(out, ", ")
}

func (p *mapPage) groups() {
	p.line("")
	for _, line := range p.layout.head(p.columns) {
		p.line("%s", p.style.paint(dim, noMark+line))
	}
	quiet, quietNodes := 0, 0
	for _, g := range p.m.Groups {
		odd := 0
		for _, n := range g.Nodes {
			if n.Odd() {
				odd++
			}
		}
		if !p.all && odd == 0 && len(g.Findings) == 0 && len(p.m.Groups) > 12 {
			quiet++
			quietNodes += len(g.Nodes)
			continue
		}
		p.groupHead(g)
		p.nodes(g, odd)
	}
	if quiet > 0 {
		p.line("\n%s with %s, all Ready", wording.Count(quiet, "more group"), wording.Count(quietNodes, "node"))
	}
}

func (p *mapPage) groupHead(g nodes.Group) {
	free := ""
	if says := freeInWords(g.Free); says != "-" && anySchedulable(g) && len(p.m.Groups) > 1 {
		free = "; free " + says
	}
	p.section(groupName(g) + p.style.paint("0", ": ") + states(g.States) + free)
	own := map[string]string{}
	for k, v := range g.Traits {
		if p.common[k] != v || len(p.m.Groups) == 1 {
			own[k] = v
		}
	}
	if len(own) > 0 {
		p.line("  %s", wording.Wrap(traits(own), p.style.width(), "  "))
	}
	if says := foundSays(g.Findings); says != "" && !p.told[g.Pool+says] {
		p.told[g.Pool+says] = true // the other zones of the pool
		p.line("  %s", wording.Wrap(says, p.style.width(), "  "))
	}
}

// anySchedulable reports whether a node of the group accepts pods.
func anySchedulable(g nodes.Group) bool { return g.Schedulable != nil && *g.Schedulable > 0 }

func groupName(g nodes.Group) string {
	pool, zone := g.Pool, g.Zone
	if pool == "" {
		pool = "no pool"
	}
	if zone == "" {
		return pool
	}
	return pool + ", zone " + zone
}

// shown returns the nodes of a group that get a line.
func (p *mapPage) shown(g nodes.Group) []*nodes.Node {
	if p.all {
		return g.Nodes
	}
	list := slices.DeleteFunc(slices.Clone(g.Nodes), func(n *nodes.Node) bool { return !n.Odd() })
	slices.SortStableFunc(list, func(a, b *nodes.Node) int {
		return slices.Index(nodes.States, a.State) - slices.Index(nodes.States, b.State)
	})
	return list[:min(len(list), max(3, 60/max(len(p.m.Groups), 1)))]
}

func (p *mapPage) nodes(g nodes.Group, odd int) {
	list := p.shown(g)
	for _, n := range list {
		p.node(n)
	}
	if !p.all && len(list) > 0 {
		p.more(odd-len(list), "  ", "node with problems", "nodes with problems")
	}
}

func (p *mapPage) shareHead(name string) string {
	if p.usage {
		return name + " REQ/USE"
	}
	return name + " REQ"
}

// noMark is the space of the mark before a name.
const noMark = "  "

func (p *mapPage) row(n *nodes.Node) gridRow {
	state := joined(" ", n.State.Says(), sinceShort(n.Since, p.m.At))
	cells := []string{n.Name, state, dash(sinceShort(n.Heartbeat, p.m.At)), podCount(n.Pods), share(n.CPU), share(n.Memory), freeSays(n.Free)}
	for _, trait := range p.extra {
		cells = append(cells, dash(n.Traits[trait]))
	}
	return gridRow{cells: cells}
}

func (p *mapPage) node(n *nodes.Node) {
	prefix := mark(n) + " "
	for _, line := range p.layout.row(p.row(n)) {
		p.line("%s%s", prefix, p.style.paint(stateColor(n.State), line))
		prefix = noMark
	}
	if notes := nodeNotes(n, p.m.At); len(notes) > 0 {
		p.line("      %s", wording.WrapFrom(strings.Join(notes, "; "), 6, p.style.width(), "      "))
	}
}

// firstWithFinding returns the first node with a finding, the worst state first; "" if there is none.
func firstWithFinding(m *nodes.Map) string {
	for _, state := range nodes.States {
		for _, g := range m.Groups {
			i := slices.IndexFunc(g.Nodes, func(n *nodes.Node) bool { return n.State == state && len(n.Findings) > 0 })
			if i >= 0 {
				return g.Nodes[i].Name
			}
		}
	}
	return ""
}

func (p *mapPage) foot() {
	p.leftOut()
	if says := uncheckedSays(p.m.NotChecked, p.m.ReadInPart); says != "" {
		p.line("\n%s", wording.Wrap(says, p.style.width(), margin))
	}
	if says := mapUse(p.m); says != "" {
		p.line("\n%s", wording.Wrap(says, p.style.width(), margin))
	}
	if p.m.Nodes > 0 {
		p.line("\nDetails of a node: nodetriage nodes NODE")
	}
}

// found writes what was found outside of nodes, and the command that shows causes and fixes. The list below may be long.
func (p *mapPage) found() {
	if len(p.m.Elsewhere) > 0 {
		p.line("%s", wording.Wrap("Not specific to a node: "+foundSays(p.m.Elsewhere), p.style.width(), margin))
	}
	next := ""
	switch name := firstWithFinding(p.m); {
	case name != "":
		next = string(shell.Format("nodetriage diagnose {node}", name))
	case len(p.m.Elsewhere) > 0:
		next = "nodetriage diagnose"
	default:
		return
	}
	p.next("Cause and fix:", next)
}
