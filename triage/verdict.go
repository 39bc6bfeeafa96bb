package triage

import (
	"slices"

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

// telling are the kinds that would show a failure of a node, or of what runs on it.
var telling = []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events}

// wellSeen reports whether the evidence is enough to call what it shows healthy: there is a node with its conditions, and
// the kinds that would tell of a failure were read.
func wellSeen(s *evidence.Snapshot) bool {
	for _, k := range telling {
		if s.Covers(k) == evidence.NotRead {
			return false
		}
	}
	return slices.ContainsFunc(s.Data().Nodes, func(n *evidence.Node) bool { return n.Condition("Ready") != nil })
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
