package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/nodetriage/nodetriage/answers/nodes"
)

// stateShapes are the shapes of node states. Each is defined once and referenced by id.
const stateShapes = `<svg width="0" height="0" class="vh" aria-hidden="true">
<symbol id="silent" viewBox="0 0 24 24"><circle class="shape" cx="12" cy="12" r="10.5"/><text class="letter" x="12" y="16.3">U</text></symbol>
<symbol id="not-ready" viewBox="0 0 24 24"><path class="shape" d="M12 .8L23.2 12L12 23.2L.8 12z"/><text class="letter" x="12" y="16.3">N</text></symbol>
<symbol id="ailing" viewBox="0 0 24 24"><path class="shape" d="M12 1.5L23 22.5H1z"/><text class="letter" x="12" y="20">!</text></symbol>
<symbol id="cordoned" viewBox="0 0 24 24"><path class="shape" d="M7.5 1.5h9l6 6v9l-6 6h-9l-6-6v-9z"/><text class="letter" x="12" y="16.3">C</text></symbol>
<symbol id="unknown" viewBox="0 0 24 24"><rect class="shape" x="2" y="2" width="20" height="20"/><text class="letter" x="12" y="16.3">?</text></symbol>
<symbol id="ready" viewBox="0 0 24 24"><rect class="shape" x="2" y="2" width="20" height="20" rx="4"/><text class="letter" x="12" y="16.3">R</text></symbol>
</svg>`

// drawState draws the shape of a state.
func drawState(s nodes.State, attributes ...g.Node) g.Node {
	return h.SVG(g.Group(attributes), ornament(), leaf("use", h.Href("#"+string(s))))
}

// drawMap draws all nodes, explains the shapes, and lists the nodes that need attention.
func drawMap(v *mapView) g.Node {
	if v == nil {
		return nil
	}
	groups := drawGroups(v.List)
	if len(v.Zones) > 0 {
		groups = drawZones(v)
	}
	return g.Group{
		newline, headline(v.Heading),
		h.Div(h.Class("map"),
			groups, newline,
			paragraph("dim", v.Left), newline,
			h.Ul(h.Class("key"), g.Map(v.Key, drawStateKey)), newline,
		),
		drawOdd(v), newline,
	}
}

// drawZones draws a table of pools by zones.
func drawZones(v *mapView) g.Node {
	pool := func(p poolView) g.Node {
		return row(h.Th(h.Scope("row"), g.Text(p.Name)), g.Map(p.Groups, func(group *groupView) g.Node { return h.Td(drawCells(group)) }))
	}
	return scroll(h.Table(
		head(h.Th(h.Scope("row"), g.Text("pool")), g.Map(v.Zones, th)),
		h.TBody(newline, g.Map(v.Pools, pool)),
	))
}

func drawGroups(list []groupView) g.Node {
	return h.Table(h.TBody(newline, g.Map(list, func(group groupView) g.Node {
		return row(h.Th(h.Scope("row"), g.Text(group.Name)), h.Td(drawCells(&group)))
	})))
}

// drawCells draws the nodes of a group; nil if it has none.
func drawCells(v *groupView) g.Node {
	if v == nil {
		return nil
	}
	return g.Group{
		h.Ul(h.Class("cells"), g.Map(v.Cells, drawCell)),
		g.If(v.Note != "", h.Span(h.Class("note"), g.Text(v.Note))),
	}
}

func drawCell(c cellView) g.Node {
	class, says := "st-"+string(c.State), h.Span(h.Class("vh"), g.Text(c.Tip))
	if c.Many != "" {
		class, says = class+" many", g.Text("× "+c.Many)
	}
	inside := g.Group{drawState(c.State), says}
	if c.Link != "" {
		return h.Li(h.Class(class), h.Title(c.Tip), h.A(h.Href("#"+c.Link), inside))
	}
	return h.Li(h.Class(class), h.Title(c.Tip), inside)
}

func drawStateKey(k keyView) g.Node {
	return h.Li(h.Class("st-"+string(k.State)), drawState(k.State), h.Span(h.Class("dim"), g.Text(k.Says)))
}

func drawOdd(v *mapView) g.Node {
	if len(v.Odd) == 0 {
		return nil
	}
	node := func(o oddView) g.Node {
		return row(h.Td(h.Class("mono nowrap"), h.ID(o.Anchor), g.Text(o.Name)), tdOf("nowrap "+o.Class, o.State), tdOf("nowrap", o.Heartbeat),
			tdOf("num", o.Pods), tdOf("num", o.CPU), tdOf("num", o.Memory), td(o.Notes))
	}
	return g.Group{
		newline,
		table(g.Map(v.Odd, node), th("Node"), th("State"), th("Heartbeat"), thNumber("Pods"), thNumber("CPU"), thNumber("Memory"), th("Problems")), newline,
		paragraph("dim", v.OddLeft),
	}
}
