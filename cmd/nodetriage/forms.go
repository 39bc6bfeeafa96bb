package main

import (
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/changes"
	"github.com/nodetriage/nodetriage/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodemap"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/repair"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/review"
	"github.com/nodetriage/nodetriage/simulate"
	"github.com/nodetriage/nodetriage/timeline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/upgrade"
	"github.com/nodetriage/nodetriage/verify"
	"github.com/nodetriage/nodetriage/why"
)

// forms are the ways to write one kind of result, beside JSON and YAML, which all have. What -o offers and what it writes are
// the same rows: a new form is its writer in package report, and a row here.
type forms[T any] struct {
	value func(T) any // what JSON and YAML show; nil: the result itself
	text  func(io.Writer, T, report.Style) error
	more  []form[T]
}

type form[T any] struct {
	name  string
	write func(io.Writer, T) error
}

// names are those that -o takes.
func (f forms[T]) names() []string {
	out := []string{"wide", "json", "yaml", jsonPath}
	for _, m := range f.more {
		out = append(out, m.name)
	}
	return out
}

// write writes a result in the form that was asked for.
func (f forms[T]) write(w io.Writer, out *outputFlags, result T) error {
	value := any(result)
	if f.value != nil {
		value = f.value(result)
	}
	switch out.format {
	case "json":
		return report.JSON(w, value)
	case "yaml":
		return report.YAML(w, value)
	case "", "wide":
		return f.text(w, result, out.style(w))
	}
	for _, m := range f.more {
		if m.name == out.format {
			return m.write(w, result)
		}
	}
	if path, ok := pathOf(out.format); ok {
		return report.JSONPath(w, value, path)
	}
	return fmt.Errorf("write %s: no such form", out.format)
}

// judged is a report with what it was made of.
type judged struct {
	report    *triage.Report
	snapshot  *evidence.Snapshot
	knowledge *knowledge
	at        time.Time
}

var reportForms = forms[judged]{
	value: func(j judged) any { return j.report },
	text:  func(w io.Writer, j judged, s report.Style) error { return report.Text(w, j.report, s) },
	more: []form[judged]{
		{"markdown", func(w io.Writer, j judged) error { return report.Markdown(w, j.report) }},
		{"html", func(w io.Writer, j judged) error {
			return report.HTML(w, report.Incident{
				Report: j.report, Snapshot: j.snapshot, Catalog: j.knowledge.catalog, Signatures: j.knowledge.signatures, At: j.at, Version: version,
			})
		}},
		{"junit", func(w io.Writer, j judged) error {
			return report.JUnit(w, j.report, nodemap.New(j.snapshot, j.report, j.at))
		}},
	},
}

// writeNodeFacts adds to the terminal forms what a node shows of itself, well or not.
func writeNodeFacts(w io.Writer, out *outputFlags, r *nodereport.Report) error {
	if out.format != "" && out.format != "wide" {
		return nil
	}
	return report.NodeFacts(w, r, out.style(w))
}

// detail is one node with what its page shows beside it.
type detail struct {
	*nodemap.Detail
	snapshot  *evidence.Snapshot
	knowledge *knowledge
}

var (
	nodeForms = forms[detail]{
		value: func(d detail) any { return d.Detail },
		text:  func(w io.Writer, d detail, s report.Style) error { return report.Node(w, d.Detail, s) },
		more: []form[detail]{{"html", func(w io.Writer, d detail) error {
			t := timeline.New(d.snapshot, d.knowledge.signatures, d.Node.Name)
			return report.NodeHTML(w, report.NodeIncident{Detail: d.Detail, Timeline: t, Catalog: d.knowledge.catalog, Version: version})
		}}},
	}
	mapForms = forms[*nodemap.Map]{text: report.Map, more: []form[*nodemap.Map]{
		{"html", func(w io.Writer, m *nodemap.Map) error { return report.MapHTML(w, m, version) }},
	}}
)

// Plans, forecasts and reviews.
var (
	forecastForms = forms[*simulate.Forecast]{text: report.Forecast, more: []form[*simulate.Forecast]{
		{"html", func(w io.Writer, f *simulate.Forecast) error { return report.ForecastHTML(w, f, version) }},
	}}
	upgradeForms = forms[*upgrade.Plan]{text: report.Upgrade, more: []form[*upgrade.Plan]{
		{"html", func(w io.Writer, p *upgrade.Plan) error { return report.UpgradeHTML(w, p, version) }},
	}}
	reviewForms = forms[*review.Review]{text: report.Review, more: []form[*review.Review]{{"junit", report.ReviewJUnit}}}
	changeForms = forms[*changes.Diff]{text: report.Changes, more: []form[*changes.Diff]{{"markdown", report.ChangesMarkdown}}}
	drainForms  = forms[*drain.Plan]{text: report.Drain}
	repairForms = forms[*repair.Plan]{text: report.Repair}
	verifyForms = forms[*verify.Verification]{text: report.Verification}
	whyForms    = forms[*why.Answer]{text: report.Why}
)

// Pages of the catalogue; all have the same forms.
var (
	pageForms     = forms[*report.Page]{text: report.Explain, more: []form[*report.Page]{{"markdown", report.PageMarkdown}}}
	questionForms = forms[*report.QuestionPage]{text: report.Question, more: []form[*report.QuestionPage]{
		{"markdown", func(w io.Writer, p *report.QuestionPage) error { return report.QuestionMarkdown(w, p, "") }},
	}}
	foundForms = forms[*report.Found]{text: report.Matches, more: []form[*report.Found]{{"markdown", report.MatchesMarkdown}}}
	indexForms = forms[*report.Index]{text: report.ExplainList, more: []form[*report.Index]{{"markdown", report.IndexMarkdown}}}
)
