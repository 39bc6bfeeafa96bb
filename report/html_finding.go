package report

import (
	"strings"

	g "maragu.dev/gomponents"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// findingView is one finding, ready to draw.
type findingView struct {
	Cause, Title, Severity, Class, Certainty, Whom, Who, LikelyOn, Since, ExplainedBy, Summary string
	Meter                                                                                      []barView // how sure it is: one to three of three
	Nested, Open                                                                               bool
	Anchor                                                                                     string // of a link; empty: none
	First                                                                                      *firstAction
	Evidence                                                                                   []proofView
	EvidenceLeft                                                                               string
	Remedies                                                                                   []remedyView
	Confirm                                                                                    []catalog.Check
	Verify, Cautions                                                                           []string
	Meaning                                                                                    g.Node
}

type proofView struct{ Where, When, Before, Hit, After string }

type remedyView struct {
	Title, Risk string
	Commands    []string
}

func newFindingView(f triage.Finding, r *triage.Report, c *catalog.Catalog) *findingView {
	v := &findingView{
		Cause: f.Cause, Title: f.Title, Severity: string(f.Severity), Class: severityClass(f.Severity),
		Certainty: string(f.Certainty), Whom: whom(f.Subjects), Who: subjects(f.Subjects, 12), LikelyOn: subjects(f.LikelyOn, 12), Since: lasting(f.Since, f.LastSeen, r.TakenAt),
		ExplainedBy: f.ExplainedBy, Meter: meter(f.Certainty),
		Verify: shell.Strings(f.Verify), Cautions: shell.Strings(f.Cautions),
	}
	if f.Summary != f.Title {
		v.Summary = f.Summary
	}
	all := proofs(f.Evidence)
	v.Evidence = apply(all[:min(len(all), htmlEvidence)], newProofView)
	if left := len(all) - len(v.Evidence); left > 0 {
		v.EvidenceLeft = "and " + wording.Counted(left, "more piece of evidence", "more pieces of evidence")
	}
	for _, m := range f.Remedies {
		v.Remedies = append(v.Remedies, remedyView{m.Title, riskSays(m), shell.Strings(atPlaces(&m, m.Commands))})
	}
	for _, k := range f.Confirm {
		v.Confirm = append(v.Confirm, catalog.Check{Run: k.Run, Where: k.Where, Expect: k.Expect})
	}
	v.First = newFirstAction(&f)
	if c != nil {
		if page := c.Cause(f.Cause); page != nil {
			v.Meaning = drawMarkdown(page.Meaning)
		}
	}
	return v
}

// firstAction is what to do first: the check of a cause that is not certain, or the first fix.
type firstAction struct {
	Label, Says   string
	Commands      []string
	Expect, Avoid string
}

func newFirstAction(f *triage.Finding) *firstAction {
	a := &firstAction{Label: "Next", Commands: []string{Style{}.nextCommand(f)}}
	switch {
	case f.Certainty != triage.Certain && len(f.Confirm) > 0:
		c := f.Confirm[0]
		a.Label, a.Says, a.Expect = "Check first", on(c.Where), expects(c)
	case len(f.Remedies) > 0:
		m := &f.Remedies[0]
		a.Label, a.Says = "Fix", strings.TrimSuffix(m.Title, ".")+" ("+fixSays(m)+")"
		if len(m.Commands) > 0 && !changes(m) {
			a.Label = "Check, then fix"
		}
		if len(m.Commands) > 0 {
			a.Commands = shell.Strings(atPlaces(m, m.Commands))
		}
	}
	if avoid := avoidance(shell.Strings(f.Cautions)); forbids(avoid) {
		a.Avoid = avoid
	}
	return a
}

func newProofView(p proof) proofView {
	v := proofView{Where: p.where(), Before: p.Text}
	if before, after, ok := strings.Cut(p.Text, p.Hit); ok && p.Hit != "" {
		v.Before, v.Hit, v.After = before, p.Hit, after
	}
	if !p.ObservedAt.IsZero() {
		v.When = wording.Instant(p.ObservedAt)
	}
	return v
}

// bestView returns the best evidence, shortened around the matched part; nil if there is none.
func bestView(refs []evidence.Ref) *proofView {
	p := best(refs)
	if p == nil {
		return nil
	}
	p.Text = p.cut(p.Hit, htmlLine)
	v := newProofView(*p)
	return &v
}

func meter(c triage.Certainty) []barView {
	full := map[triage.Certainty]int{triage.Certain: 3, triage.Likely: 2}[c]
	out := make([]barView, 3)
	for i := range out {
		out[i] = barView{X: i * 7, Class: "info"}
		if i >= max(full, 1) {
			out[i].Class = "empty"
		}
	}
	return out
}

func severityClass(s catalog.Severity) string {
	switch s {
	case catalog.Critical, catalog.Error:
		return "bad"
	case catalog.Warning:
		return "warn"
	}
	return "info"
}

// restView is the part below the findings.
type restView struct {
	Symptoms     []symptomView
	StandsOut    []proofView
	Before       []string // changes before a fault
	LeftOut      []string // by exceptions and filters
	Waiting      []string
	Over         []overView
	OverLeft     string
	Gaps         []triage.NotChecked
	GapsLeft     string
	Absent       string
	RuledOut     []ruledOutView
	RuledOutLeft string
}

type symptomView struct {
	ID, Title, Whom, Look string
	Checks                []catalog.Check
	Proof                 *proofView
}

type overView struct {
	Cause, Title, Whom, When, EndedBy string
	Proof                             *proofView
}

type ruledOutView struct{ Cause, Says string }

func newRestView(d *diagnosis) restView {
	var v restView
	for _, s := range d.symptoms {
		v.Symptoms = append(v.Symptoms, symptomView{s.ID, s.Title, subjects(s.subjects, 6), s.Look, s.Checks, bestView(s.proofs)})
	}
	for _, l := range d.StandsOut {
		v.StandsOut = append(v.StandsOut, proofView{Where: whose(l, d.Report), Before: l.Text})
	}
	v.Waiting, v.Before, v.LeftOut = d.waiting, d.before, quietList(d.Report, true)
	for _, e := range d.resolved[:min(len(d.resolved), htmlList)] {
		v.Over = append(v.Over, overView{e.Cause, e.Title, subjects(e.subjects, 6), fromTo(e.From, e.To, d.TakenAt), e.EndedBy, bestView(e.Evidence)})
	}
	if left := len(d.resolved) - len(v.Over); left > 0 {
		v.OverLeft = "and " + wording.Counted(left, "more", "more") + " (-o json has all)"
	}
	for _, g := range d.gaps[:min(len(d.gaps), htmlList)] {
		v.Gaps = append(v.Gaps, triage.NotChecked{What: g.What, Why: g.Why, How: g.How})
	}
	if left := len(d.gaps) - len(v.Gaps); left > 0 {
		v.GapsLeft = "and " + wording.Counted(left, "more", "more") + " (-o json has all)"
	}
	if len(d.absent) > 0 {
		v.Absent = absentSays(d.absent, len(d.absent))
	}
	for _, g := range d.ruledOut[:min(len(d.ruledOut), htmlList)] {
		v.RuledOut = append(v.RuledOut, ruledOutView{g.cause, g.says()})
	}
	if left := len(d.ruledOut) - len(v.RuledOut); left > 0 {
		v.RuledOutLeft = "and " + wording.Counted(left, "more", "more") + " (-o json has all)"
	}
	return v
}
