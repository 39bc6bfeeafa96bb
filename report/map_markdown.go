package report

import (
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/wording"
)

// MapMarkdown writes all nodes for a ticket: the groups with their nodes that are not just Ready.
func MapMarkdown(w io.Writer, m *nodes.Map) error { return mapOn.markdown(w, m) }

var mapOn paged[nodes.Map] = func(p canvas, m *nodes.Map) {
	rest := m.Source
	if m.At != nil {
		rest += ", as of " + wording.Instant(*m.At)
	}
	p.title(strings.ToUpper(string(m.Verdict)), verdictColor(m.Verdict), rest)
	if m.Nodes == 0 {
		p.note(noNodes(m))
		return
	}
	p.note(joined("; ", wording.Count(m.Nodes, "node")+": "+states(m.States), faultCount(m.Faults)) + hiddenSays(m.Hidden, m.Filters))
	if says := mapFree(m); says != "" {
		p.note(says)
	}
	for _, g := range m.Groups {
		p.section(groupName(g) + ": " + states(g.States))
		if t := traits(g.Traits); t != "" {
			p.note(t)
		}
		if len(g.Findings) > 0 {
			p.note(foundSays(g.Findings))
		}
		writeOdd(p, m, g)
	}
	if len(m.Elsewhere) > 0 {
		p.remark("Not specific to a node: " + foundSays(m.Elsewhere))
	}
	if says := uncheckedSays(m.NotChecked, m.ReadInPart); says != "" {
		p.remark(says)
	}
	writeKnowledge(p, m.Knowledge)
}

// writeOdd lists the nodes of a group that are not just Ready; with labels, all.
func writeOdd(p canvas, m *nodes.Map, g nodes.Group) {
	var odd []*nodes.Node
	for _, n := range g.Nodes {
		if n.Odd() || n.Labels != nil {
			odd = append(odd, n)
		}
	}
	limit := p.limit(roomForAll, len(odd))
	for _, n := range odd[:limit] {
		p.judged(judged{
			word: n.State.Says(), color: stateColor(n.State), name: n.Name, took: sinceShort(n.Since, m.At),
			text: strings.Join(nodeNotes(n, m.At), "; "),
		})
	}
	p.left(len(odd)-limit, paragraphs, "node with problems", "nodes with problems")
}
