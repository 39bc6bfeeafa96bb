package accuracy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// first returns the first cause of an answer.
func first(a Answer) string {
	if f := a.First(); f != nil {
		return f.Cause
	}
	return "nothing"
}

// sameFirst compares the first finding with that of the unchanged case. The confirmed cause is always correct, even if the
// answer about the unchanged case is an alternative.
func sameFirst(c *Case, got Answer) Problem {
	want, is := first(c.Base()), first(got)
	switch {
	case want == is, is == c.Truth.Class:
		return Problem{}
	case is == "nothing":
		return Problem{"silent", want, "nothing is found, it was " + want}
	case c.Truth.Accepts(is):
		return Problem{"another of the accepted causes is first", is, fmt.Sprintf("first is %s, it was %s", is, want)}
	}
	return Problem{"another cause is first", is, fmt.Sprintf("first is %s (%s), it was %s", is, got.First().Certainty, want)}
}

// isPast judges an answer about evidence of a problem that has ended.
func isPast(c *Case, got Answer) Problem {
	for i, f := range got.Report.Findings {
		if c.Truth.Accepts(f.Cause) && f.Severity != catalog.Info {
			place := "first"
			if i > 0 {
				place = fmt.Sprintf("number %d", i+1)
			}
			return Problem{"reported as current", f.Cause, fmt.Sprintf("%s is %s, %s: %s", f.Cause, place, f.Certainty, evidenceOf(f))}
		}
	}
	for _, f := range got.Report.Findings {
		if f.Grave() {
			return Problem{"another cause is reported as current", f.Cause, fmt.Sprintf("%s, %s: %s", f.Cause, f.Certainty, evidenceOf(f))}
		}
	}
	switch got.Report.Verdict {
	case triage.Broken:
		return Problem{"broken by a symptom", symptoms(got), "verdict broken, no grave finding; symptoms " + symptoms(got)}
	case triage.Warn:
		what := symptoms(got)
		for _, f := range got.Report.Findings {
			if f.Severity != catalog.Info {
				what = f.Cause
				break
			}
		}
		return Problem{"warns", what, fmt.Sprintf("verdict warning; first %s; symptoms %s", first(got), symptoms(got))}
	case triage.Unclear:
		if got.Enough {
			return Problem{"not healthy", "", "verdict unknown although nodes, pods, events and leases were read"}
		}
	}
	return Problem{}
}

func evidenceOf(f triage.Finding) string {
	if len(f.Evidence) == 0 {
		return "no evidence"
	}
	r := f.Evidence[0]
	text := r.Text
	if len(text) > 120 {
		text = text[:120] + "..."
	}
	return strings.TrimSpace(r.Source+" "+r.Locator) + ": " + text
}

func symptoms(a Answer) string {
	var list []string
	for _, s := range a.Report.Symptoms {
		if s.ExplainedBy == "" && !slices.Contains(list, s.ID) {
			list = append(list, s.ID)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

// uncertain judges an answer about reduced evidence: nothing may become certain that was not certain before.
func uncertain(c *Case, got Answer) Problem {
	for i, f := range got.Report.Findings {
		if f.Certainty != triage.Certain || c.Truth.Accepts(f.Cause) || i > 0 && c.Truth.Accepts(f.ExplainedBy) {
			continue // a consequence of the confirmed cause is not another answer
		}
		if before := c.Base().Finding(f.Cause); before != nil && before.Certainty == triage.Certain && i > 0 {
			continue
		}
		if i == 0 && c.Base().First() != nil && c.Base().First().Cause == f.Cause {
			continue
		}
		reason := "certainty moved to another cause"
		if i == 0 {
			reason = "wrong and certain"
		}
		return Problem{reason, f.Cause, fmt.Sprintf("%s is certain: %s", f.Cause, evidenceOf(f))}
	}
	return Problem{}
}

// bothFound judges an answer about two combined cases.
func bothFound(p Play, got Answer) Problem {
	for _, side := range []struct{ own, other *Case }{{p.Case, p.With}, {p.With, p.Case}} {
		c := side.own
		f := accepted(c, got)
		if f == nil {
			return Problem{"one of two is not found", first(c.Base()), fmt.Sprintf("%s of %s is not among the findings; first is %s", first(c.Base()), c.Name, first(got))}
		}
		if strange := strangers(f, namesIn(c.Files.String()), namesIn(side.other.Files.String())); strange != "" {
			return Problem{"found on the subject of the other", f.Cause, f.Cause + " of " + c.Name + " is on " + strange}
		}
		if by := got.Finding(f.ExplainedBy); by != nil && onOneNode(by) && side.other.Truth.Accepts(by.Cause) && c.Base().Finding(by.Cause) == nil {
			return Problem{"explained by the other", f.Cause, f.Cause + " of " + c.Name + " is explained by " + f.ExplainedBy}
		}
	}
	if !p.Case.Truth.Accepts(first(got)) && !p.With.Truth.Accepts(first(got)) {
		return Problem{"a third cause is first", first(got), "first is " + first(got)}
	}
	return Problem{}
}

// onOneNode reports whether a finding is about nodes or pods, and not about everything in a cluster or a cloud.
func onOneNode(f *triage.Finding) bool {
	return f.Subject.Kind == "Node" || f.Subject.Kind == "Pod"
}

// accepted returns the finding of an accepted cause of the case.
func accepted(c *Case, a Answer) *triage.Finding {
	if f := a.Finding(first(c.Base())); f != nil {
		return f
	}
	for i, f := range a.Report.Findings {
		if c.Truth.Accepts(f.Cause) {
			return &a.Report.Findings[i]
		}
	}
	return nil
}

// strangers returns subjects of a finding that exist only in the other case.
func strangers(f *triage.Finding, own, other names) string {
	for _, s := range f.Subjects {
		name := s.Name
		mine, theirs := own.nodes, other.nodes
		switch s.Kind {
		case "Node":
		case "Pod":
			name = s.Namespace + "/" + s.Name
			mine, theirs = own.pods, other.pods
		default:
			continue
		}
		if slices.Contains(theirs, name) && !slices.Contains(mine, name) {
			return s.String()
		}
	}
	return ""
}
