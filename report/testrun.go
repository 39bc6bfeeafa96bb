package report

import (
	"fmt"
	"io"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// CaseRun is the result of a run of recorded cases.
type CaseRun struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"` // TestRun
	Passed     int          `json:"passed"`
	Failed     int          `json:"failed"`
	Cases      []CaseResult `json:"cases"`
	// Knowledge is the knowledge that judged the cases.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`
}

// CaseResult is the result of one case.
type CaseResult struct {
	Name    string `json:"name"` // the path that it was read from
	Passed  bool   `json:"passed"`
	Want    string `json:"want"`              // the class of its expected result
	First   string `json:"first"`             // the first cause of the report; empty: none
	Problem string `json:"problem,omitempty"` // what is wrong with the report
}

// NewCaseRun returns a run without cases, for this knowledge.
func NewCaseRun(by []catalog.Origin) *CaseRun {
	return &CaseRun{APIVersion: evidence.APIVersion, Kind: "TestRun", Cases: []CaseResult{}, Knowledge: by}
}

// Add adds the result of a case. An empty problem means that it passed.
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

// TestRun writes the results for a terminal: the failed cases (in the wide form all) and the counts.
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
		by = " (knowledge: " + knowledgeSays(r.Knowledge) + ")"
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

// TestRunSARIF writes the failed cases for tools that collect findings of checkers.
func TestRunSARIF(w io.Writer, r *CaseRun, version string) error {
	r = cleaned(r)
	s := newSARIF(version, "")
	s.rule("case-failed", "A recorded case is not answered as it was confirmed", "", "architecture.md")
	for _, c := range r.Cases {
		if !c.Passed {
			s.result("case-failed", sarifError, c.Name+": "+c.Problem, []evidence.Subject{{Kind: "Case", Name: c.Name}}, sarifFile(c.Name, 1))
		}
	}
	return s.write(w)
}
