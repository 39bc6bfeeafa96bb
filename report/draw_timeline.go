package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// drawTimeline draws the events over time, and lists them in order.
func drawTimeline(v *timelineView) g.Node {
	if v == nil {
		return nil
	}
	return g.Group{
		newline, headline("What happened when"),
		drawLanes(v.Width, v.Height, v.Bottom, v.Label, v.Ticks, v.Lanes, v.End), newline,
		h.Ul(h.Class("key"), g.Map(v.Key, drawShapeKey)), newline,
		paragraph("note", v.Left), newline,
		more(g.Text("The same in order, as a list"), drawMoments(v)), newline,
	}
}

func drawShapeKey(k shapeView) g.Node {
	return h.Li(h.SVG(g.Attr("viewBox", "-9 -9 18 18"), ornament(), leaf("path", h.Class("mark"), path(k.Path))), g.Text(k.Text))
}

func drawMoments(v *timelineView) g.Node {
	moment := func(r rowView) g.Node {
		return row(tdOf("nowrap", r.When), tdOf("nowrap mono", r.Lane), tdOf(r.Class, r.What))
	}
	return g.Group{
		h.Table(head(th("UTC"), th("Where"), th("What")), h.TBody(newline, g.Map(v.Rows, moment))),
		paragraph("dim", v.RowsLeft),
	}
}
