package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/wording"
)

// roomForAll is how many nodes get a line each; in larger clusters those without anything odd are counted.
const roomForAll = 40

// Map writes all nodes for a terminal, grouped by pool and zone.
func Map(w io.Writer, m *nodes.Map, style Style) error {
	m = cleaned(m)
	p := mapPage{screen: screen{style: style}, m: m}
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

// labelled reports whether labels were asked for, which every node has.
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
	name   int               // columns of the name
	usage  bool              // some node's actual use is known
	extra  []column          // traits, in the wide form
}

func (p *mapPage) head() {
	rest := p.m.Source
	if p.m.At != nil {
		rest += ", as of " + wording.Instant(*p.m.At)
	}
	p.line("%s  %s", p.style.verdict(p.m.Verdict), wording.WrapFrom(rest, len(p.m.Verdict)+2, p.style.width(), margin))
	if p.m.Nodes == 0 {
		p.line("No node is in this evidence.")
		return
	}
	p.line("%s", wording.Wrap(joined("; ", wording.Count(p.m.Nodes, "node")+": "+states(p.m.States), faultCount(p.m.Faults)), p.style.width(), margin))
}

// states lists how many nodes are in which state, the worst first.
func states(n map[nodes.State]int) string {
	var out []string
	for _, s := range nodes.States {
		if n[s] > 0 {
			out = append(out, fmt.Sprintf("%d %s", n[s], stateSays(s)))
		}
	}
	return strings.Join(out, ", ")
}

func stateSays(s nodes.State) string {
	switch s {
	case nodes.NotReady:
		return "not ready"
	case nodes.Unknown:
		return "of unknown state"
	}
	return string(s)
}

// measure finds what all groups share, and how wide the names are.
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
			if p.all || n.Odd() {
				p.name = max(p.name, wording.Columns(n.Name))
			}
		}
	}
	if p.style.Wide {
		p.measureTraits()
	} else {
		p.name = max(min(p.name, p.style.width()-50), 4)
	}
	if len(p.common) > 0 && len(p.m.Groups) > 1 {
		p.line("%s", wording.Wrap("all: "+traits(p.common), p.style.width(), margin))
	}
}

// traitOrder puts first what explains most.
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
	p.line("\n%s", p.style.paint(dim, "  "+p.row("NAME", "STATE", "HEARTBEAT", "PODS", p.shareHead("CPU"), p.shareHead("MEM"), p.traitHeads())))
	quiet, quietNodes := 0, 0
	room := max(3, 60/max(len(p.m.Groups), 1))
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
		p.nodes(g, odd, room)
	}
	if quiet > 0 {
		p.line("\n%s with %s, all ready", wording.Count(quiet, "more group"), wording.Count(quietNodes, "node"))
	}
}

func (p *mapPage) groupHead(g nodes.Group) {
	p.section(groupName(g) + p.style.paint("0", ": ") + states(g.States))
	own := map[string]string{}
	for k, v := range g.Traits {
		if p.common[k] != v || len(p.m.Groups) == 1 {
			own[k] = v
		}
	}
	if len(own) > 0 {
		p.line("  %s", wording.Wrap(traits(own), p.style.width(), "  "))
	}
	if len(g.Findings) > 0 {
		p.line("  %s", foundSays(g.Findings))
	}
}

func groupName(g nodes.Group) string {
	pool, zone := g.Pool, g.Zone
	if pool == "" {
		pool = "no pool"
	}
	if zone == "" {
		return pool
	}
	return pool + ", " + zone
}

func (p *mapPage) nodes(g nodes.Group, odd, room int) {
	list := g.Nodes
	if !p.all {
		list = slices.DeleteFunc(slices.Clone(list), func(n *nodes.Node) bool { return !n.Odd() })
		slices.SortStableFunc(list, func(a, b *nodes.Node) int {
			return slices.Index(nodes.States, a.State) - slices.Index(nodes.States, b.State)
		})
		list = list[:min(len(list), room)]
	}
	if len(list) == 0 {
		return
	}
	for _, n := range list {
		p.node(n)
	}
	if !p.all {
		p.more(odd-len(list), "  ", "odd node", "odd nodes")
	}
}

func (p *mapPage) shareHead(name string) string {
	if p.usage {
		return name + " REQ/USE"
	}
	return name + " REQ"
}

// row lays out one line; what is behind the usual columns is there in the wide form only, which is not wrapped.
func (p *mapPage) row(name, state, beat, pods, cpu, memory, rest string) string {
	share := 8
	if p.usage {
		share = 11
	}
	return strings.TrimRight(fmt.Sprintf("%s %-15s %9s %7s  %-*s %-*s %s", fit(name, p.name), state, beat, pods, share, cpu, share, memory, rest), " ")
}

func (p *mapPage) node(n *nodes.Node) {
	state := string(n.State)
	if d := sinceShort(n.Since, p.m.At); d != "" {
		state += " " + d
	}
	row := p.row(n.Name, state, sinceShort(n.Heartbeat, p.m.At), podCount(n.Pods), share(n.CPU), share(n.Memory), p.traitCells(n))
	p.line("%s %s", mark(n), p.style.paint(stateColor(n.State), row))
	if notes := nodeNotes(n, p.m.At); len(notes) > 0 {
		p.line("      %s", wording.WrapFrom(strings.Join(notes, "; "), 6, p.style.width(), "      "))
	}
}

func (p *mapPage) foot() {
	if len(p.m.Elsewhere) > 0 {
		p.line("\n%s", wording.Wrap("Not about one node: "+foundSays(p.m.Elsewhere), p.style.width(), margin))
	}
	if says := uncheckedSays(p.m.NotChecked, p.m.ReadInPart); says != "" {
		p.line("\n%s", wording.Wrap(says, p.style.width(), margin))
	}
	if says := mapUse(p.m); says != "" {
		p.line("\n%s", wording.Wrap(says, p.style.width(), margin))
	}
	if p.m.Nodes > 0 {
		p.line("\nOne node in detail: nodetriage nodes NODE")
	}
}
