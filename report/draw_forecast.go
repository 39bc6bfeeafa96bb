package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// drawForecast draws the fate of the pods, the times and the options.
func drawForecast(v *forecastView) g.Node {
	return g.Group{
		newline, drawHeadline(v.frame, v.Name, v.Facts),
		g.If(len(v.Never) > 0, g.Group{h.H2(g.Text("Requires manual action")), caution(v.Never), g.Map(v.Act, drawWay)}),
		drawForecastLanes(v.Lanes), newline,
		drawOrder(v.Moments),
		drawWorkloads(v.Workloads), drawOptions(v.Options), drawFates(v), newline,
		h.H2(g.Text("Assumed")), items(v.Assumed), newline,
	}
}

// drawHeadline draws the subject of a page.
func drawHeadline(f frame, name string, list []string) g.Node {
	return h.Section(h.Class("answer is-"+f.VerdictClass), newline,
		h.H1(h.Class("mono"), g.Text(name)), newline,
		facts(g.Map(list, item)), newline,
	)
}

func drawForecastLanes(v *lanesView) g.Node {
	if v == nil {
		return nil
	}
	note := "Dashed: the change comes somewhere in this time."
	if v.Now != 0 {
		note += " The dashed line across is when the evidence was taken."
	}
	return g.Group{
		headline("What happens to each pod"),
		drawLanes(v.Width, v.Height, v.Bottom, v.Label, v.Ticks, v.Lanes, v.Now), newline,
		paragraph("note", note+" "+v.Left),
	}
}

// drawOrder draws the events in order of time.
func drawOrder(list []momentView) g.Node {
	moment := func(m momentView) g.Node {
		return row(g.If(m.Next, h.Class("now")), tdOf("nowrap", m.When), tdOf("mono", m.Who), tdOf("says", m.What), tdOf("dim", m.Why))
	}
	return g.Group{
		headline("In order"),
		table(g.Map(list, moment), th("When"), th("Where"), th("What"), th("Mechanism")),
	}
}

func drawWorkloads(list []workloadView) g.Node {
	return titled("Workloads", len(list), h.Table(h.TBody(g.Map(list, func(w workloadView) g.Node {
		return row(tdOf("mono", w.Name), tdOf(w.Class, w.Says))
	}))))
}

func drawOptions(list []optionView) g.Node {
	return titled("Options", len(list), table(g.Map(list, func(o optionView) g.Node {
		return row(h.Td(h.Class("says"), g.Text(o.Title), commands(o.Commands)), td(o.Risk), td(o.Again), td(o.Stateful), td(o.Gone),
			h.Td(g.If(len(o.Danger) > 0, items(o.Danger))))
	}), th("Option"), th("Risk"), th("Pods run again"), th("Stateful pods"), th("Objects deleted"), th("Caution")))
}

// drawFates draws the fate of each pod.
func drawFates(v *forecastView) g.Node {
	pod := func(p podFateView) g.Node {
		owner := g.If(p.Owner != "", g.Group{h.Br(), h.Span(h.Class("dim"), g.Text(p.Owner))})
		return row(h.Td(h.Class("mono"), g.Text(p.Name), owner), tdOf("nowrap "+p.Class, p.Fate), td(p.Deleted), td(p.Gone),
			tdOf("says", p.Replacement), h.Td(items(p.Because)))
	}
	return titled("Pods", len(v.Pods), g.Group{
		table(g.Map(v.Pods, pod), th("Pod"), th("Fate"), th("Deleted"), th("Gone"), th("Replacement"), th("Because")),
		paragraph("dim", v.PodsLeft),
	})
}
