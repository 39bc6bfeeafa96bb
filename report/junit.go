package report

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Rules of the JUnit form, for pipelines. Suites without a case are omitted:
//
//   - causes: one case per finding: failed if it is an error or worse and at least likely, skipped if it is a
//     warning or only possible; what was ruled out passes. Several independent faults are counted in a property;
//   - symptoms: one case per symptom that nothing explains: failed if the report is broken and no cause is the reason,
//     else skipped;
//   - stands-out: one skipped case per line that stands out;
//   - waiting: one skipped case per reason why pods wait for a node;
//   - over: one case per resolved cause; they pass;
//   - nodes: one case per node of the evidence, failed if it is unreachable, not ready or unhealthy, skipped if the
//     evidence does not show its state;
//   - filter: one skipped case if the filter hides findings;
//   - coverage: one skipped case per thing that could not be checked; an error if the report could not judge.

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string `xml:"name,attr"`
	Timestamp string `xml:"timestamp,attr,omitempty"`
	Tests     int    `xml:"tests,attr"`
	Failures  int    `xml:"failures,attr"`
	Errors    int    `xml:"errors,attr"`
	Skipped   int    `xml:"skipped,attr"`
	// Properties is nil if it is empty: an element without content is not written.
	Properties *junitProperties `xml:"properties"`
	Cases      []junitCase      `xml:"testcase"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Out     *junitOut    `xml:"system-out"`
}

type junitOut struct {
	Text string `xml:",cdata"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

// JUnit writes the report for a test pipeline.
func JUnit(w io.Writer, r *triage.Report, m *nodes.Map) error {
	r, m = cleaned(r), cleaned(m)
	d := newDiagnosis(r)
	return writeJUnit(w, r.TakenAt, junitCauses(d), junitSymptoms(d), junitLines(r), junitWaiting(r), junitOver(d), junitFilter(r), junitNodes(m), junitCoverage(d))
}

// writeJUnit adds up the suites, without those that have no case.
func writeJUnit(w io.Writer, at *time.Time, suites ...junitSuite) error {
	out := junitSuites{Name: "nodetriage"}
	for _, s := range suites {
		if len(s.Cases) == 0 {
			continue
		}
		if at != nil {
			s.Timestamp = at.UTC().Format("2006-01-02T15:04:05")
		}
		s.tally()
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Errors += s.Errors
		out.Skipped += s.Skipped
		out.Suites = append(out.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitSuite) tally() {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

func junitCauses(r *diagnosis) junitSuite {
	s := junitSuite{Name: "causes"}
	if r.faultsHead != "" {
		s.Properties = &junitProperties{append([]junitProperty{{"faults", r.faultsHead}}, apply(r.faults, func(f fault) junitProperty {
			return junitProperty{"fault", f.says}
		})...)}
	}
	for _, f := range r.Findings {
		c := junitCase{Name: f.Cause, Class: "nodetriage.causes"}
		result := &junitResult{Message: f.Title, Type: string(f.Severity), Text: findingLines(f, r.Report)}
		switch {
		case f.Severity == catalog.Info:
			c.Out = &junitOut{result.Text}
		case f.Severity == catalog.Warning || f.Certainty == triage.Possible:
			result.Message = string(f.Severity) + ", " + string(f.Certainty) + ": " + result.Message
			c.Skipped = result
		default:
			c.Failure = result
		}
		s.Cases = append(s.Cases, c)
	}
	for _, g := range r.ruledOut {
		says := "ruled out: " + g.says()
		if n := len(s.Cases); n > 0 && s.Cases[n-1].Name == g.cause && s.Cases[n-1].Out != nil {
			s.Cases[n-1].Out.Text += "\n" + says
			continue
		}
		s.Cases = append(s.Cases, junitCase{Name: g.cause, Class: "nodetriage.causes", Out: &junitOut{says}})
	}
	return s
}

// findingLines returns a finding as plain text, for the log of a pipeline.
func findingLines(f triage.Finding, r *triage.Report) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			b.WriteString("\n" + name + ": " + text)
		}
	}
	b.WriteString(f.Summary)
	line("certainty", string(f.Certainty))
	line("on", subjects(f.Subjects, 12))
	line("time", lasting(f.Since, f.LastSeen, r.TakenAt))
	line("likely also on", subjects(f.LikelyOn, 12))
	line("caused by", f.ExplainedBy)
	for _, p := range proofs(f.Evidence) {
		line("evidence", p.where()+": "+p.Text)
	}
	for _, m := range f.Remedies {
		line("fix", m.Title+" ("+riskSays(m)+")")
		for _, c := range m.Commands {
			b.WriteString("\n    " + string(c))
		}
	}
	for _, v := range f.Verify {
		line("verify", string(v))
	}
	return b.String()
}

func junitSymptoms(r *diagnosis) junitSuite {
	s := junitSuite{Name: "symptoms"}
	unexplained := r.Verdict == triage.Broken && !slices.ContainsFunc(r.Findings, func(f triage.Finding) bool { return f.Grave() })
	for _, open := range r.symptoms {
		result := &junitResult{Message: joined(", ", open.Title, subjects(open.subjects, 12))}
		if p := best(open.proofs); p != nil {
			result.Text = p.where() + ": " + p.Text
		}
		c := junitCase{Name: open.ID, Class: "nodetriage.symptoms"}
		if unexplained {
			c.Failure = result
		} else {
			c.Skipped = result
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

func junitLines(r *triage.Report) junitSuite {
	return junitSuite{Name: "stands-out", Cases: apply(r.StandsOut, func(l triage.Line) junitCase {
		return junitCase{Name: joined(" ", l.Source, l.Locator), Class: "nodetriage.stands-out", Skipped: &junitResult{Message: whose(l, r), Text: l.Text}}
	})}
}

func junitWaiting(r *triage.Report) junitSuite {
	return junitSuite{Name: "waiting", Cases: apply(r.Waiting, func(w triage.Waiting) junitCase {
		return junitCase{Name: w.Pods[0].String(), Class: "nodetriage.waiting", Skipped: &junitResult{Message: waitingSays(w, r.TakenAt)}}
	})}
}

func junitOver(r *diagnosis) junitSuite {
	return junitSuite{Name: "over", Cases: apply(r.resolved, func(e *ended) junitCase {
		return junitCase{Name: e.Cause, Class: "nodetriage.over", Out: &junitOut{"over: " + strings.TrimSuffix(e.Title, ".") + " " + e.says(r.TakenAt)}}
	})}
}

func junitFilter(r *triage.Report) junitSuite {
	s := junitSuite{Name: "filter"}
	if r.Filter != nil && r.Filter.LeftOut > 0 {
		s.Cases = []junitCase{{Name: string(filtered), Class: "nodetriage.filter", Skipped: &junitResult{Message: filterSays(r.Filter)}}}
	}
	return s
}

func junitNodes(m *nodes.Map) junitSuite {
	s := junitSuite{Name: "nodes"}
	for _, g := range m.Groups {
		for _, n := range g.Nodes {
			c := junitCase{Name: n.Name, Class: "nodetriage.nodes"}
			says := strings.Join(append([]string{n.State.Says()}, nodeNotes(n, m.At)...), "; ")
			switch n.State {
			case nodes.Silent, nodes.NotReady, nodes.Unhealthy:
				c.Failure = &junitResult{Message: n.State.Says(), Type: string(n.State), Text: says}
			case nodes.Unknown:
				c.Skipped = &junitResult{Message: "the evidence does not show its state"}
			default:
				if n.Odd() {
					c.Out = &junitOut{says}
				}
			}
			s.Cases = append(s.Cases, c)
		}
	}
	return s
}

func junitCoverage(r *diagnosis) junitSuite {
	s := junitSuite{Name: "coverage"}
	if r.Verdict == triage.Unclear {
		s.Cases = append(s.Cases, junitCase{Name: "judged", Class: "nodetriage.coverage", Error: &junitResult{Message: r.unsure(), Type: "unknown"}})
	}
	for _, g := range r.gaps {
		s.Cases = append(s.Cases, junitCase{Name: g.What, Class: "nodetriage.coverage", Skipped: &junitResult{Message: gapSays(g)}})
	}
	s.Cases = append(s.Cases, apply(r.absent, func(k evidence.Kind) junitCase {
		return junitCase{Name: string(k), Class: "nodetriage.coverage", Skipped: &junitResult{Message: "the evidence has none"}}
	})...)
	return s
}
