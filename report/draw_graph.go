package report

import (
	"fmt"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// arrow is the head of every edge.
const arrow = `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker></defs>`

// mainWidth is the width of the page for drawings, in pixels. A wider drawing scrolls.
const mainWidth = 704

// drawGraph draws the explanation graph.
func drawGraph(v *graphView) g.Node {
	if v == nil {
		return nil
	}
	return g.Group{
		newline, headline("Causes and effects"),
		paragraph("note", "Arrows point from a cause to its effects. Dashed boxes are symptoms."), newline,
		drawing(v.Width > mainWidth, v.Width, v.Height, v.Label,
			g.Raw(arrow), newline, g.Map(v.Edges, drawEdge), g.Map(v.Boxes, drawBox)), newline,
		paragraph("dim", v.Left), newline,
	}
}

func drawEdge(e edgeView) g.Node {
	d := fmt.Sprintf("M%d %dC%d %d %d %d %d %d", e.X1, e.Y1, e.XM, e.Y1, e.XM, e.Y2, e.X2, e.Y2)
	return g.Group{leaf("path", h.Class("edge"), g.If(!e.Continues, g.Attr("marker-end", "url(#arrow)")), path(d)), newline}
}

func drawBox(b boxView) g.Node {
	var bar g.Node
	if b.Bar != nil {
		bar = rect("bar "+b.Bar.Class, b.Bar.X, b.Bar.Y, b.Bar.W, b.Bar.H, 2)
	}
	line := func(l lineView) g.Node { return svgText(l.Class, l.X, l.Y, number("font-size", 13), g.Text(l.Text)) }
	return g.Group{g.El("g", tip(b.Tip), rect("box "+b.Class, b.X, b.Y, b.W, b.H, 6), bar, g.Map(b.Lines, line)), newline}
}
