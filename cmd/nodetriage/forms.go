package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/answers/diff"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/report"
)

// forms are the output formats of one kind of result, in addition to JSON and YAML. -o offers and writes the same rows: a new
// format is a writer in package report and a row here.
type forms[T any] struct {
	value func(T) any // the value for JSON and YAML; nil: the result itself
	text  func(io.Writer, T, report.Style) error
	more  []form[T]
	rows  report.Rows // for a list; zero: not a list
}

type form[T any] struct {
	name  string
	write func(io.Writer, T) error
}

// names returns the values of -o.
func (f forms[T]) names() []string {
	out := []string{"wide", "json", "yaml", jsonPath}
	if f.rows.Resource != "" {
		out = append(out, customColumns, "name")
	}
	for _, m := range f.more {
		out = append(out, m.name)
	}
	return out
}

// write writes a result in the selected format, through a pager if it is long.
func (f forms[T]) write(w io.Writer, out *outputFlags, result T) error {
	return out.paged(w, func(w io.Writer) error { return f.print(w, out, result) })
}

// print writes a result in the selected format without a pager, because something follows.
func (f forms[T]) print(w io.Writer, out *outputFlags, result T) error {
	value := any(result)
	if f.value != nil {
		value = f.value(result)
	}
	switch out.format {
	case "json":
		return report.JSON(w, value)
	case "yaml":
		return report.YAML(w, value)
	case "name":
		return report.Names(w, value, f.rows)
	case "", "wide":
		return out.say(w, func(w io.Writer, s report.Style) error { return f.text(w, result, s) })
	}
	for _, m := range f.more {
		if m.name == out.format {
			return m.write(w, result)
		}
	}
	if path, ok := strings.CutPrefix(out.format, before(jsonPath)); ok {
		return report.JSONPath(w, value, path)
	}
	if spec, ok := strings.CutPrefix(out.format, before(customColumns)); ok {
		return report.Columns(w, value, spec)
	}
	return fmt.Errorf("write %s: no such form", out.format)
}

// judged is a diagnosis and the knowledge that it is based on.
type judged struct {
	*ask.Diagnosis
	knowledge *ask.Knowledge
}

var reportForms = forms[judged]{
	value: func(j judged) any { return j.Report },
	text:  func(w io.Writer, j judged, s report.Style) error { return report.Text(w, j.Report, s) },
	more: []form[judged]{
		{"markdown", func(w io.Writer, j judged) error { return report.Markdown(w, j.Report) }},
		{"html", func(w io.Writer, j judged) error {
			return report.HTML(w, report.Incident{
				Report: j.Report, Snapshot: j.Snapshot, Catalog: j.knowledge.Catalog, Signatures: j.knowledge.Signatures, At: j.At, Version: version,
			})
		}},
		{"junit", func(w io.Writer, j judged) error { return report.JUnit(w, j.Report, j.Map()) }},
		{"sarif", func(w io.Writer, j judged) error { return report.SARIF(w, j.Report, version) }},
	},
}

// writeNodeCheck writes the diagnosis of a node by itself. The terminal formats also have the facts that the node reports.
func writeNodeCheck(w io.Writer, out *outputFlags, j judged, r *nodereport.Report) error {
	return out.paged(w, func(w io.Writer) error {
		if err := reportForms.print(w, out, j); err != nil || out.format != "" && out.format != "wide" {
			return err
		}
		return out.say(w, func(w io.Writer, s report.Style) error { return report.NodeFacts(w, r, s) })
	})
}

// detail is one node and the knowledge that it was judged by.
type detail struct {
	*ask.NodeDetail
	knowledge *ask.Knowledge
}

var (
	nodeForms = forms[detail]{
		value: func(d detail) any { return d.Detail },
		text:  func(w io.Writer, d detail, s report.Style) error { return report.Node(w, d.Detail, s) },
		more: []form[detail]{
			{"markdown", func(w io.Writer, d detail) error { return report.NodeMarkdown(w, d.Detail) }},
			{"html", func(w io.Writer, d detail) error {
				return report.NodeHTML(w, report.NodeIncident{Detail: d.Detail, Timeline: d.Timeline(), Catalog: d.knowledge.Catalog, Version: version})
			}},
		},
	}
	mapForms = forms[*nodes.Map]{
		value: func(m *nodes.Map) any { return m.Listed() },
		text:  report.Map, more: pages(report.MapMarkdown, report.MapHTML), rows: report.Rows{Resource: "node"},
	}
)

// Plans, forecasts and reviews.
var (
	forecastForms = forms[*predict.Forecast]{text: report.Forecast, more: pages(report.ForecastMarkdown, report.ForecastHTML)}
	upgradeForms  = forms[*upgrade.Plan]{text: report.Upgrade, more: pages(report.UpgradeMarkdown, report.UpgradeHTML)}
	reviewForms   = forms[*check.Review]{text: report.Review, more: append(pages(report.ReviewMarkdown, report.ReviewHTML), checked(report.ReviewJUnit, report.ReviewSARIF)...)}
	testForms     = forms[*report.CaseRun]{text: report.TestRun, more: checked(report.TestRunJUnit, report.TestRunSARIF)}
	changeForms   = forms[*diff.Diff]{text: report.Changes, more: pages(report.ChangesMarkdown, report.ChangesHTML)}
	drainForms    = forms[*drain.Plan]{text: report.Drain, more: pages(report.DrainMarkdown, report.DrainHTML)}
	repairForms   = forms[*repair.Plan]{text: report.Repair, more: pages(report.RepairMarkdown, report.RepairHTML)}
	verifyForms   = forms[*verify.Verification]{text: report.Verification, more: pages(report.VerificationMarkdown, report.VerificationHTML)}
	whyForms      = forms[*why.Answer]{text: report.Why, more: pages(report.WhyMarkdown, report.WhyHTML)}
)

// pages returns the formats for a ticket and for a browser.
func pages[T any](markdown func(io.Writer, *T) error, html func(io.Writer, *T, string) error) []form[*T] {
	return []form[*T]{{"markdown", markdown}, {"html", func(w io.Writer, x *T) error { return html(w, x, version) }}}
}

// checked returns the formats for pipelines, and for tools that collect findings of checkers.
func checked[T any](junit func(io.Writer, *T) error, sarif func(io.Writer, *T, string) error) []form[*T] {
	return []form[*T]{{"junit", junit}, {"sarif", func(w io.Writer, x *T) error { return sarif(w, x, version) }}}
}

// Pages of the catalog. All have the same formats.
var (
	pageForms     = forms[*report.Page]{text: report.Explain, more: []form[*report.Page]{{"markdown", report.PageMarkdown}}}
	questionForms = forms[*report.QuestionPage]{text: report.Question, more: []form[*report.QuestionPage]{
		{"markdown", func(w io.Writer, p *report.QuestionPage) error { return report.QuestionMarkdown(w, p, "") }},
	}}
	signatureForms = forms[*report.SignaturePage]{text: report.Signature, more: []form[*report.SignaturePage]{{"markdown", report.SignatureMarkdown}}}
	checkPageForms = forms[*report.CheckPage]{text: report.CheckText, more: []form[*report.CheckPage]{{"markdown", report.CheckMarkdown}}}
	foundForms     = forms[*report.Found]{text: report.Matches, more: []form[*report.Found]{{"markdown", report.MatchesMarkdown}}}
	indexForms     = forms[*report.Index]{text: report.ExplainList, more: []form[*report.Index]{{"markdown", report.IndexMarkdown}}}
)
