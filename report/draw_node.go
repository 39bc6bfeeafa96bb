package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// drawNode draws one node: its findings and all its details.
func drawNode(v *nodeView) g.Node {
	return g.Group{
		newline, drawNodeHead(v), newline,
		drawFound(v.Findings),
		drawConditions(v.Conditions), drawTaints(v.Taints), drawResources(v.Resources), drawPods(v), g.Map(v.Tables, drawGrid),
		drawTimeline(v.Timeline), drawEvents(v.Events),
		drawSymptoms(v.Symptoms), drawOver(v.restView), drawRest(v.restView), newline,
	}
}

func drawNodeHead(v *nodeView) g.Node {
	state := h.Li(h.Class("st-"+string(v.State)), drawState(v.State, h.Class("sign")), g.Text(v.StateSays))
	return h.Section(h.Class("answer is-"+v.VerdictClass), newline,
		h.H1(h.Class("mono"), g.Text(v.Name)), newline,
		facts(state, g.Map(v.Facts, item)), newline,
		paragraph("summary", v.Reason), newline,
		g.Map(v.Notes, func(says string) g.Node { return paragraph("", says) }), newline,
	)
}

func drawFound(list []*findingView) g.Node {
	found := g.Group{paragraph("", "None.")}
	if len(list) > 0 {
		found = g.Map(list, func(f *findingView) g.Node { return drawFoundDetails(f, "") })
	}
	return g.Group{headline("Findings"), found}
}

func drawConditions(list []conditionView) g.Node {
	return titled("Conditions", len(list), table(g.Map(list, func(c conditionView) g.Node {
		return row(tdOf("nowrap "+c.Class, c.Judgement), tdOf("nowrap", c.Name), tdOf("nowrap", c.For), tdOf("nowrap", c.Heard), td(c.Says))
	}), th("Assessment"), th("Condition"), th("For"), th("Last heartbeat"), th("Message")))
}

func drawTaints(list []taintView) g.Node {
	return titled("Taints", len(list), h.Table(h.TBody(g.Map(list, func(t taintView) g.Node {
		return h.Tr(tdOf("mono", t.Name), td(t.Says))
	}))))
}

func drawResources(list []resourceView) g.Node {
	return titled("Resources", len(list), h.Table(
		head(th("Name"), thNumber("Allocatable"), thNumber("Requested"), th("Share"), thNumber("Free"), thNumber("Used now")),
		h.TBody(newline, g.Map(list, func(r resourceView) g.Node {
			return row(tdOf("mono", r.Name), tdOf("num", r.Allocatable), tdOf("num", r.Requested), h.Td(drawShare(r.Share)), tdOf("num", r.Free), tdOf("num", r.Used))
		})),
	))
}

// drawPods draws the unhealthy pods, and names the others.
func drawPods(v *nodeView) g.Node {
	list := table(g.Map(v.Pods, func(p podView) g.Node {
		return row(tdOf("mono", p.Name), tdOf("num", p.Ready), tdOf(p.Class, p.Status), tdOf("num", p.Restarts), td(p.Says))
	}), th("Pod"), thNumber("Ready"), th("Status"), thNumber("Restarts"), th("Message"))
	return titled("Pods", len(v.Pods)+len(v.System)+len(v.Missing), g.Group{
		list,
		paragraph("dim", v.PodsLeft),
		g.If(v.Missing != "", paragraph("bad", "Missing, although other nodes of its group have them: "+v.Missing)),
		g.If(v.System != "", paragraph("", "Healthy DaemonSets and system pods: "+v.System)),
	})
}

func drawEvents(list []eventView) g.Node {
	return titled("Events", len(list), table(g.Map(list, func(e eventView) g.Node {
		return row(tdOf("nowrap", e.When), tdOf("num", e.Times), td(e.About), tdOf("nowrap "+e.Class, e.Reason), td(e.Message))
	}), th("Last"), thNumber("Times"), th("About"), th("Reason"), th("Message")))
}
