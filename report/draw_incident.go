package report

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// drawIncident draws a report: first the answer, then the explanation graph, then everything else.
func drawIncident(v *incidentView) g.Node {
	return g.Group{
		drawTop(v),
		drawFaults(v.Faults),
		g.Map(v.Cohorts, func(says string) g.Node { return paragraph("cohort", says) }),
		drawGraph(v.Graph), drawMap(v.Map), drawTimeline(v.Timeline),
		drawOthers(v),
		drawBelow(v),
		g.Map(v.Apart, func(a apartView) g.Node { return drawLines(a.Head, a.List) }),
		drawLines(changedBefore, v.Before), drawWaiting(v.Waiting), drawOver(v.restView),
		drawLines(hidden, v.LeftOut), drawRest(v.restView), newline,
	}
}

// drawTop draws the answer, or the best substitute.
func drawTop(v *incidentView) g.Node {
	if v.Answer == nil {
		none := h.Section(h.Class("answer is-"+v.VerdictClass), h.H1(g.Text(v.NoAnswer)), drawImpact(v.Impact))
		return g.Group{none, drawStandsOut(v.StandsOut), drawSymptoms(v.Symptoms)}
	}
	if v.Unsure {
		return g.Group{drawAnswer(v.Answer, v.Impact), drawStandsOut(v.StandsOut)}
	}
	return drawAnswer(v.Answer, v.Impact)
}

func drawOthers(v *incidentView) g.Node {
	return g.If(len(v.Others) > 0, g.Group{
		newline, headline(otherFindings),
		g.Map(v.Others, func(f *findingView) g.Node { return drawFoundDetails(f, f.Whom) }),
		paragraph("dim", v.OthersLeft),
	})
}

// drawBelow draws below an answer what is drawn above the rest if there is no answer.
func drawBelow(v *incidentView) g.Node {
	switch {
	case v.Answer == nil:
		return nil
	case v.Unsure:
		return drawSymptoms(v.Symptoms)
	}
	return g.Group{drawSymptoms(v.Symptoms), drawStandsOut(v.StandsOut)}
}
