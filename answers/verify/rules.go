package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// rules returns the verdict of the rules of diagnose, on the evidence since the fix.
func (j *judge) rules() Step {
	s := Step{ID: "rules", Title: "rules"}
	says := j.says()
	if len(says) == 0 && len(j.report.Findings) > 0 && len(j.report.ReadInPart) == 0 {
		s.Result, s.Detail = Clear, fmt.Sprintf("%d rules ran again; no finding is about this node", len(j.Rulebook.Rules))
		return s
	}
	switch j.report.Verdict {
	case triage.Broken:
		s.Result = NotClear
	case triage.Warn:
		s.Result = Warning
	case triage.Healthy, triage.Unclear: // the other steps report what was not read
		if part := j.report.ReadInPart; len(part) > 0 {
			return j.readInPart(s)
		}
		if j.report.Verdict == triage.Unclear && (j.node == nil || j.node.Condition("Ready") == nil) {
			return unseen(s.ID, s.Title, "not enough evidence", shell.Format("nodetriage diagnose {node}", j.Node))
		}
		s.Result, s.Detail = Clear, fmt.Sprintf("%d rules ran again without findings", len(j.Rulebook.Rules))
		return s
	}
	s.Detail, s.How = says[0]+more(len(says)-1), shell.Format("nodetriage diagnose {node}", j.Node)
	return s
}

// mine reports whether the finding is about the node. Pods without a node are not, although the node could run them.
func (j *judge) mine(f triage.Finding) bool {
	return len(f.Subjects) == 0 || slices.ContainsFunc(f.Subjects, func(s evidence.Subject) bool {
		p := j.Snapshot.Pod(s.Namespace, s.Name)
		return s.Kind != "Pod" || p == nil || p.Node != ""
	})
}

// says returns what was found, in a sentence each: the causes, then what follows from them.
func (j *judge) says() []string {
	var out []string
	list := slices.Clone(j.report.Findings)
	slices.SortStableFunc(list, func(a, b triage.Finding) int {
		return cmp.Compare(min(len(a.ExplainedBy), 1), min(len(b.ExplainedBy), 1))
	})
	for _, f := range list {
		if f.Severity != catalog.Info && j.mine(f) {
			out = append(out, strings.TrimSuffix(cmp.Or(f.Summary, f.Title), ".")+" ("+f.Cause+")")
		}
	}
	for _, sy := range j.report.Symptoms {
		if sy.ExplainedBy == "" {
			out = append(out, strings.TrimSuffix(sy.Title, ".")+" ("+sy.ID+")")
		}
	}
	return out
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("; %d more", n)
}

// readInPart returns the step of the rules if their evidence was partial.
func (j *judge) readInPart(s Step) Step {
	var why []string
	for _, g := range j.Snapshot.Incomplete(j.report.ReadInPart...) {
		why = append(why, g.Title()+": "+g.Why)
	}
	return unseen(s.ID, s.Title, "not read, or only partly: "+strings.Join(why, "; "), shell.Format("nodetriage diagnose {node}", j.Node))
}

// reread reports whether the evidence of these rules exists again. Rules that need a node report need one from after the fix,
// and rules that need messages need its logs.
func (j *judge) reread(rules []string, subject evidence.Subject) (bool, string) {
	for _, id := range rules {
		i := slices.IndexFunc(j.Rulebook.Rules, func(r *triage.Rule) bool { return r.ID == id })
		if i < 0 {
			return false, "rule " + id + " no longer exists"
		}
		r := j.Rulebook.Rules[i]
		missing := ""
		for _, kind := range r.Needs {
			if missing = j.missing(kind); missing != "" {
				return false, missing
			}
		}
		for _, kind := range r.NeedsOne {
			if missing = j.missing(kind); missing == "" {
				break
			}
		}
		if missing != "" {
			return false, missing
		}
	}
	if subject.Kind == "Node" && j.node == nil {
		return false, "the node is not in the evidence"
	}
	return true, ""
}

// missing returns what does not exist again of a kind of evidence; empty if nothing is missing.
func (j *judge) missing(kind evidence.Kind) string {
	switch kind {
	case evidence.NodeReports:
		if n := j.newest(); n == nil || !n.TakenAt.After(j.Since) {
			return "there is no node-check report from after the fix"
		}
	case evidence.Messages:
		heard := j.heard()
		if heard.missing != "" {
			return heard.missing
		}
		if heard.long() < proven {
			return "too little time has passed since the fix"
		}
	default:
		if part := j.Snapshot.Incomplete(kind); len(part) > 0 {
			return part[0].Title() + ": " + part[0].Why
		}
		if j.Snapshot.Covers(kind) == evidence.NotRead {
			return "the evidence contains no " + string(kind)
		}
	}
	return ""
}

// compared returns the step of a comparison.
func compared(c *triage.Comparison) Step {
	s := Step{ID: "comparison", Title: "before"}
	count := map[triage.State]int{}
	var names []string
	for _, ch := range c.Changes {
		count[ch.Now]++
		if ch.Now != triage.Gone { // new findings count in the step of the rules, by severity
			names = append(names, ch.Cause+" "+string(ch.Now))
		}
	}
	was := len(c.Changes) - count[triage.Newly]
	switch {
	case count[triage.Stays] > 0:
		s.Result = NotClear
	case count[triage.Unseen] > 0:
		s.Result = Unknown
	default:
		s.Result = Clear
	}
	s.Detail = fmt.Sprintf("%d of %d earlier causes are resolved", count[triage.Gone], was)
	if len(names) > 0 {
		s.Detail += ": " + first(names)
	}
	return s
}
