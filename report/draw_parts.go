package report

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// drawAnswer draws the main finding of a page.
func drawAnswer(v *findingView, impact string) g.Node {
	return g.Group{
		newline,
		h.Section(h.Class("answer is-"+v.Class), h.ID(v.Anchor), newline,
			h.H1(g.Text(v.Title)), newline,
			drawImpact(impact), newline,
			drawFirst(v.First), newline,
			drawFindingFacts(v), newline,
			paragraph("summary", v.Summary), newline,
		), newline,
		drawFinding(v), newline,
	}
}

func drawImpact(says string) g.Node {
	return g.If(says != "", h.P(h.Class("impact"), h.Strong(g.Text("Impact ")), g.Text(says)))
}

// drawFirst draws the first action, so that a phone shows it without scrolling.
func drawFirst(a *firstAction) g.Node {
	return h.Div(h.Class("first"),
		h.P(h.Strong(g.Text(a.Label+" ")), g.Text(a.Says)), commands(a.Commands), paragraph("", a.Expect),
		g.If(a.Avoid != "", h.P(h.Class("bad"), g.Text(a.Avoid))))
}

func drawFindingFacts(v *findingView) g.Node {
	return facts(
		h.Li(h.Class("mono"), g.Text(v.Cause)),
		h.Li(h.Class(v.Class), g.Text(v.Severity)),
		h.Li(drawMeter(v.Meter), g.Text(v.Certainty)),
		g.If(v.Whom != "", item(v.Whom)),
		g.If(v.Since != "", item(v.Since)),
	)
}

// drawMeter draws the certainty of a finding, as bars.
func drawMeter(bars []barView) g.Node {
	return g.El("svg", h.Class("meter"), viewBox(21, 6), ornament(), g.Map(bars, func(b barView) g.Node {
		return leaf("rect", h.Class("bar "+b.Class), number("x", b.X), number("width", 6), number("height", 6), number("rx", 1))
	}))
}

// drawFinding draws the details of a finding: evidence, remedies, checks.
func drawFinding(v *findingView) g.Node {
	var nested g.Node
	if v.Nested {
		nested = g.Group{paragraph("", v.Summary), paragraph("dim", v.Who)}
	}
	return g.Group{
		nested,
		g.If(v.LikelyOn != "", h.P(g.Text("Likely also on "+v.LikelyOn+" (failed at the same time, not examined)."))),
		drawEvidence(v.Evidence),
		paragraph("dim", v.EvidenceLeft), newline,
		h.Div(h.Class("columns"), newline,
			h.Div(drawRemedies(v.Remedies), newline), newline,
			h.Div(drawCautions(v.Cautions), drawConfirm(v), drawVerify(v.Verify), newline), newline,
		),
		g.If(v.Meaning != nil, more(g.Text("About this cause, and how to tell it from similar ones"), v.Meaning)), newline,
	}
}

// drawFoundDetails draws a finding that is not the answer: its headline, and the rest in an expandable section.
func drawFoundDetails(v *findingView, whom string) g.Node {
	return g.Group{g.If(v.Anchor != "", h.Span(h.ID(v.Anchor))), drawer(v.Open, g.Group{
		h.Strong(g.Text(v.Title)), g.Text(" "), h.Code(g.Text(v.Cause)), g.Text(" "),
		h.Span(h.Class("tag "+v.Class), g.Text(v.Severity)), g.Text(", "), h.Span(h.Class("tag"), g.Text(v.Certainty)),
		g.If(v.Since != "", g.Text(", "+v.Since)),
		g.If(whom != "", g.Text(", "+whom)),
		g.If(v.ExplainedBy != "", g.Group{g.Text(", "), h.Span(h.Class("tag"), g.Text("caused by "+v.ExplainedBy))}),
	}, drawFinding(v)), newline}
}

func drawEvidence(list []proofView) g.Node {
	return g.If(len(list) > 0, g.Group{h.H3(g.Text("Evidence")), newline, g.Map(list, drawProof)})
}

// drawProof draws a line of evidence below its location and time.
func drawProof(v proofView) g.Node {
	where := v.Where
	if v.When != "" {
		where += " · " + v.When
	}
	return g.Group{h.Figure(h.Class("proof"), h.FigCaption(g.Text(where)), h.Pre(drawLine(v))), newline}
}

// drawLine draws a line of evidence with the matched part marked.
func drawLine(v proofView) g.Node {
	return g.Group{g.Text(v.Before), g.If(v.Hit != "", h.Mark(g.Text(v.Hit))), g.Text(v.After)}
}

// drawSight draws a line of evidence below the title of an entry in a table.
func drawSight(v *proofView) g.Node {
	if v == nil {
		return nil
	}
	return g.Group{h.Br(), h.Span(h.Class("note"), g.Text(v.Where+": "), drawLine(*v))}
}

func drawRemedies(list []remedyView) g.Node {
	return g.If(len(list) > 0, g.Group{
		h.H3(g.Text(fixes)), newline,
		h.Ol(h.Class("do"), g.Map(list, func(v remedyView) g.Node {
			return h.Li(g.Text(v.Title+" "), h.Span(h.Class("risk"), g.Text("("+v.Risk+")")), commands(v.Commands))
		})),
	})
}

func drawCautions(list []string) g.Node {
	return g.If(len(list) > 0, g.Group{h.H3(g.Text("Caution")), caution(list)})
}

func drawConfirm(v *findingView) g.Node {
	if len(v.Confirm) == 0 {
		return nil
	}
	out := g.Group{h.H3(g.Text("Check"))}
	for _, c := range v.Confirm {
		out = append(out, h.Pre(g.Text(string(c.Run))), paragraph("dim", joined(". ", capital(on(c.Where)), confirms(c))))
	}
	return out
}

func drawVerify(list []string) g.Node {
	return g.If(len(list) > 0, g.Group{h.H3(g.Text("Verify")), items(list)})
}

// drawRest draws what was not checked and what was ruled out.
func drawRest(v restView) g.Node {
	if len(v.RuledOut) == 0 && len(v.Gaps) == 0 && v.Absent == "" {
		return newline
	}
	return g.Group{newline, h.Div(h.Class("columns even"), drawGaps(v), drawRuledOut(v), newline), newline}
}

func drawGaps(v restView) g.Node {
	if len(v.Gaps) == 0 && v.Absent == "" {
		return nil
	}
	var list g.Group
	for _, gap := range v.Gaps {
		list = append(list, h.Li(g.Text(gap.What+": "+gap.Why),
			g.If(gap.How != "", g.Group{h.Br(), h.Span(h.Class("dim"), g.Text("to see it: "+string(gap.How)))})))
	}
	return h.Section(h.H2(g.Text("Not checked")), h.Ul(list, leftItem(v.GapsLeft), g.If(v.Absent != "", item(v.Absent))))
}

func drawRuledOut(v restView) g.Node {
	return g.If(len(v.RuledOut) > 0, h.Section(h.H2(g.Text("Ruled out")), h.Ul(
		g.Map(v.RuledOut, func(r ruledOutView) g.Node { return h.Li(h.Code(g.Text(r.Cause)), g.Text(": "+r.Says)) }),
		leftItem(v.RuledOutLeft),
	)))
}

// leftItem draws the last entry of a list: how many entries are not shown.
func leftItem(text string) g.Node {
	return g.If(text != "", h.Li(h.Class("dim"), g.Text(text)))
}

func drawSymptoms(list []symptomView) g.Node {
	if len(list) == 0 {
		return newline
	}
	return g.Group{
		newline, headline(symptomsAlone),
		table(g.Map(list, func(v symptomView) g.Node {
			return row(drawTitled(v.Title, v.ID, v.Proof), td(v.Whom), h.Td(g.Text(v.Look), drawLooks(v.Checks)))
		}), th("Symptom"), th("Object"), th("Next check")), newline,
	}
}

// drawLooks draws the commands that show more evidence.
func drawLooks(list []catalog.Check) g.Node {
	if len(list) == 0 {
		return nil
	}
	return h.Ol(g.Map(list, func(k catalog.Check) g.Node {
		return h.Li(g.Text(joined("; ", on(k.Where), string(k.Expect))), h.Pre(g.Text(string(k.Run))))
	}))
}

// drawTitled draws the first cell of a row: a title, its id and the best line of evidence.
func drawTitled(title, id string, proof *proofView) g.Node {
	return h.Td(h.Class("says"), g.Text(title+" "), h.Code(g.Text(id)), drawSight(proof))
}

// drawStandsOut draws the most significant lines if no cause is likely.
func drawStandsOut(list []proofView) g.Node {
	return g.Group{
		g.If(len(list) > 0, g.Group{newline, headline(relevantLines), g.Map(list, drawProof)}), newline,
	}
}

// drawLines draws a headline and lines below it, if there are any.
func drawLines(head string, list []string) g.Node {
	return g.If(len(list) > 0, g.Group{newline, headline(head), h.Ul(g.Map(list, item))})
}

// drawWaiting draws the pods that wait for a node.
func drawWaiting(list []string) g.Node {
	return drawLines("Pending pods", list)
}

// drawOver draws resolved problems.
func drawOver(v restView) g.Node {
	if len(v.Over) == 0 {
		return newline
	}
	return g.Group{
		newline, headline("Resolved"),
		table(g.Map(v.Over, func(o overView) g.Node {
			return row(drawTitled(o.Title, o.Cause, o.Proof), td(o.Whom), tdOf("nowrap", o.When), td(o.EndedBy))
		}), th("Problem"), th("Object"), th("Time"), th("Resolved by")), newline,
		paragraph("dim", v.OverLeft), newline,
	}
}

// drawFaults draws how many independent faults there are.
func drawFaults(v *faultsView) g.Node {
	if v == nil {
		return nil
	}
	return h.Section(h.Class("cohort"), h.P(h.Strong(g.Text(v.Head))), h.Ul(g.Map(v.List, item), leftItem(v.Left)))
}

// drawLanes draws events over time: ticks above, a lane for each node or pod, and a vertical line at end (0: none).
func drawLanes(width, height, bottom int, label string, ticks []tickView, lanes []laneView, end int) g.Node {
	var line g.Node
	if end != 0 {
		line = drawUpright("end", end, bottom)
	}
	return drawing(true, width, height, label,
		g.Map(ticks, func(t tickView) g.Node { return drawTick(t, bottom) }),
		g.Map(lanes, func(l laneView) g.Node { return drawLane(l, width) }),
		line,
	)
}

// drawUpright draws a line from the ticks to the bottom.
func drawUpright(class string, x, bottom int) g.Node {
	return leaf("line", h.Class(class), number("x1", x), number("x2", x), number("y1", 20), number("y2", bottom))
}

func drawTick(t tickView, bottom int) g.Node {
	return g.Group{drawUpright("grid", t.X, bottom), svgText("small", t.X, 14, g.Attr("text-anchor", "middle"), g.Text(t.Text)), newline}
}

func drawLane(l laneView, width int) g.Node {
	return g.Group{
		rect("lane", 0, l.Y, width, l.H, 4),
		svgText("", 8, l.TextY, number("font-size", 12), g.Text(l.Name), tip(l.Tip)), newline,
		g.Map(l.Spans, drawSpan), g.Map(l.Marks, drawMark),
	}
}

// drawSpan draws a duration as a bar, with text in it if it fits.
func drawSpan(s spanView) g.Node {
	var inside g.Node
	if s.Text != nil {
		inside = svgText("inbar", s.Text.X, s.Text.Y, g.Text(s.Text.Text))
	}
	return g.Group{g.El("g", tip(s.Tip), rect("span "+s.Class, s.X, s.Y, s.W, s.H, 2), inside), newline}
}

// drawMark draws an instant as a shape.
func drawMark(m markView) g.Node {
	return g.Group{g.El("path", h.Class("mark "+m.Class), path(m.Path), tip(m.Tip)), newline}
}

// drawShare draws a percentage as a level and a number.
func drawShare(b *barView) g.Node {
	if b == nil {
		return nil
	}
	level := func(class string, width int) g.Node {
		return leaf("rect", h.Class("bar "+class), number("width", width), number("height", 8), number("rx", 2))
	}
	return g.Group{
		g.El("svg", h.Class("level"), viewBox(100, 8), ornament(), level("empty", 100), level(b.Class, b.W)),
		g.Text(" " + strconv.Itoa(b.X) + "%"),
	}
}
