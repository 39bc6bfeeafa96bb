package report

import (
	"io"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Rules of the HTML form: one file that loads nothing and runs nothing. The style is inline, drawings are inline SVG, and a
// content security policy forbids everything else. The answer comes first. Shape and letter show the state; colour only repeats
// it. The text of a tooltip is also in the page. The size is limited for any cluster: cells become counts, and lists report how
// much they omit. Every text is cleaned, and escaped where it is drawn: only by g.Text and g.Attr, and g.Raw takes only our own
// constants. A view holds the contents of a page (html_*.go). A function of its name draws it (draw_*.go).

// Incident is the input of the HTML form of a report: the report, and its evidence.
type Incident struct {
	Report     *triage.Report
	Snapshot   *evidence.Snapshot
	Catalog    *catalog.Catalog
	Signatures *signatures.Set
	At         time.Time // the time to judge by; zero: when the evidence was taken
	Version    string    // of the program, for the footer
}

// Limits of the HTML form.
const (
	htmlFindings = 40
	htmlFaults   = 20
	htmlEvidence = 12
	htmlList     = 40
	htmlLine     = 400 // characters of evidence in a table
)

// frame is the part of a page around its body.
type frame struct {
	Title, Verdict, VerdictClass, Source, AsOf, Version string
	Knowledge                                           string // empty: the built-in knowledge only
}

func newFrame(title string, v triage.Verdict, source string, at *time.Time, version string) frame {
	f := frame{Title: "nodetriage: " + title, Verdict: strings.ToUpper(string(v)), VerdictClass: verdictClass(v), Source: source, Version: version}
	if at != nil {
		f.AsOf = wording.Instant(*at)
	}
	return f
}

func verdictClass(v triage.Verdict) string {
	switch v {
	case triage.Broken:
		return "bad"
	case triage.Warn, filtered:
		return "warn"
	case triage.Healthy:
		return "good"
	}
	return "dim"
}

// faultsView lists independent faults.
type faultsView struct {
	Head string
	List []string
	Left string
}

// newFaultsView returns nil unless there are several faults.
func newFaultsView(d *diagnosis) *faultsView {
	if d.faultsHead == "" {
		return nil
	}
	v := &faultsView{Head: d.faultsHead, List: apply(d.faults[:min(len(d.faults), htmlFaults)], func(f fault) string { return f.says })}
	if left := len(d.faults) - len(v.List); left > 0 {
		v.Left = "and " + wording.Count(left, "more fault") + " (-o json has all)"
	}
	return v
}

// incidentView is the HTML form of a report.
type incidentView struct {
	frame
	Answer     *findingView
	Impact     string
	NoAnswer   string
	Unsure     bool // the answer is only possible
	Faults     *faultsView
	Cohorts    []string
	Apart      []apartView
	Graph      *graphView
	Map        *mapView
	Timeline   *timelineView
	Others     []*findingView
	OthersLeft string
	restView
}

// HTML writes the report as one self-contained page.
func HTML(w io.Writer, in Incident) error {
	r := cleaned(in.Report)
	d := newDiagnosis(r)
	page := incidentView{
		frame: newFrame(d.title(), d.verdict, r.Source, r.TakenAt, in.Version), NoAnswer: d.unsure(), Impact: d.impact(),
		Unsure: len(r.Findings) > 0 && !d.answered, Faults: newFaultsView(d), Cohorts: d.cohorts,
	}
	for i, f := range r.Findings {
		view := newFindingView(f, r, in.Catalog)
		view.Anchor = findingAnchor(i)
		switch {
		case i == 0:
			page.Answer = view
		case i < htmlFindings:
			view.Nested = true
			page.Others = append(page.Others, view)
		default:
			page.OthersLeft = "and " + wording.Count(len(r.Findings)-htmlFindings, "more finding") + " (-o json has all)"
		}
	}
	page.Apart = newApartViews(r)
	page.Graph = newGraphView(r)
	if len(in.Snapshot.Data().Nodes) > 0 {
		page.Map = newMapView(cleaned(nodes.New(in.Snapshot, in.Report, in.At)))
		page.Map.link(r)
	}
	page.Timeline = newTimelineView(cleaned(timeline.New(in.Snapshot, in.Signatures, "")))
	page.restView = newRestView(d)
	page.Knowledge = footKnowledge(r.Knowledge)
	return writePage(w, page.frame, drawIncident(&page))
}
