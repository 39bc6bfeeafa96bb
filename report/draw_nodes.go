package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// drawNodes draws the map of all nodes and findings that are not about one node.
func drawNodes(v *nodesView) g.Node {
	return g.Group{
		g.If(v.Faults != "", h.P(h.Strong(g.Text(v.Faults)))), newline,
		drawMap(v.Map),
		g.If(v.Elsewhere != "", paragraph("", "Not about one node: "+v.Elsewhere)),
		paragraph("dim", v.Unchecked), newline,
	}
}
