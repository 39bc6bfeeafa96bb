package triage

import (
	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
)

// verdict is the report in one word, of now alone:
//   - broken: a grave cause is at least likely, or a node is not Ready;
//   - warning: a cause is possible or mild, or something was seen that no cause explains;
//   - healthy: nothing is wrong, and enough was looked at to say so;
//   - unknown: none of this, as with a text in which nothing is recognised.
func verdict(r *Report, s *evidence.Snapshot) Verdict {
	v := Unclear
	if wellSeen(s) || asked(s) {
		v = Healthy
	}
	for _, f := range r.Findings {
		switch {
		case f.Grave():
			return Broken
		case f.Severity != catalog.Info:
			v = Warn
		}
	}
	for _, sy := range r.Symptoms {
		switch sy.ID {
		case "node-not-ready", "node-silent":
			return Broken
		}
		if v == Healthy && sy.ExplainedBy == "" {
			v = Warn
		}
	}
	return v
}

// wellSeen reports whether there are nodes whose conditions were read. What else was not read stands among the gaps.
func wellSeen(s *evidence.Snapshot) bool {
	for _, n := range s.Data().Nodes {
		if n.Condition("Ready") != nil {
			return true
		}
	}
	return false
}

// asked reports whether a node was looked at from inside, as far as it takes to call it healthy: its file systems, its
// runtime, and its kubelet.
func asked(s *evidence.Snapshot) bool {
	for _, r := range s.Data().NodeReports {
		if r.Kind != "" && len(r.Filesystems) > 0 && r.Runtime != nil && r.Runtime.Answer != "" && r.Kubelet != nil {
			return true
		}
	}
	return false
}

// Grave reports whether a finding alone makes a report broken: it does much harm, and is at least likely.
func (f *Finding) Grave() bool {
	return f.Severity.Rank() <= catalog.Error.Rank() && f.Confidence != Possible
}
