package report

import (
	"fmt"
	"io"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// CaseRun is how recorded cases ended that were run together.
type CaseRun struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"` // TestRun
	Passed     int          `json:"passed"`
	Failed     int          `json:"failed"`
	Cases      []CaseResult `json:"cases"`
	// Knowledge is that by which the cases were judged.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`
}

// CaseResult is how one case ended.
type CaseResult struct {
	Name    string `json:"name"` // the path that it was read from
	Passed  bool   `json:"passed"`
	Want    string `json:"want"`              // the class of its truth
	First   string `json:"first"`             // the first cause of the report; empty: it names none
	Problem string `json:"problem,omitempty"` // what is wrong with the report
}

// NewCaseRun returns a run without cases, by this knowledge.
func NewCaseRun(by []catalog.Origin) *CaseRun {
	return &CaseRun{APIVersion: evidence.APIVersion, Kind: "TestRun", Cases: []CaseResult{}, Knowledge: by}
}

// Add counts a case whose report has this problem; none: it passed.
func (r *CaseRun) Add(name, want, problem string, answer *triage.Report) {
	out := CaseResult{Name: name, Want: want, Passed: problem == "", Problem: problem}
	if len(answer.Findings) > 0 {
		out.First = answer.Findings[0].Cause
	}
	if out.Passed {
		r.Passed++
	} else {
		r.Failed++
	}
	r.Cases = append(r.Cases, out)
}

// TestRun writes how cases ended, for a terminal: those that failed, in the wide form all, and how many.
func TestRun(w io.Writer, r *CaseRun, style Style) error {
	r = cleaned(r)
	for _, c := range r.Cases {
		var err error
		switch {
		case !c.Passed:
			_, err = fmt.Fprintf(w, "FAIL %s: %s\n", c.Name, c.Problem)
		case style.Wide:
			_, err = fmt.Fprintf(w, "ok   %s\n", c.Name)
		}
		if err != nil {
			return err
		}
	}
	by := ""
	if len(r.Knowledge) > 1 {
		by = ", by the knowledge " + knowledgeSays(r.Knowledge)
	}
	_, err := fmt.Fprintf(w, "%d passed, %d failed%s\n", r.Passed, r.Failed, by)
	return err
}

// TestRunJUnit writes it for a pipeline: a case each.
func TestRunJUnit(w io.Writer, r *CaseRun) error {
	r = cleaned(r)
	s := junitSuite{Name: "cases"}
	for _, c := range r.Cases {
		out := junitCase{Name: c.Name, Class: "nodetriage.cases"}
		if !c.Passed {
			out.Failure = &junitResult{Message: c.Problem, Type: c.Want}
		}
		s.Cases = append(s.Cases, out)
	}
	return writeJUnit(w, nil, s)
}

// TestRunSARIF writes the cases that failed for tools that gather what checkers find.
func TestRunSARIF(w io.Writer, r *CaseRun, version string) error {
	r = cleaned(r)
	s := newSARIF(version)
	s.rule("case-failed", "A recorded case is not answered as it was confirmed", "")
	for _, c := range r.Cases {
		if !c.Passed {
			s.result("case-failed", sarifError, c.Name+": "+c.Problem, sarifFile(c.Name, 0))
		}
	}
	return s.write(w)
}
