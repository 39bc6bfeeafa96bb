package triage

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics"
)

// verdict is the report in one word, of now alone:
//   - broken: a grave cause is at least likely, or a node is not Ready;
//   - warning: a cause is possible or mild, or something was seen that no cause explains;
//   - healthy: nothing is wrong, and enough was looked at to say so;
//   - unknown: none of this, as with a text in which nothing is recognised; or nothing is known to be broken, and a kind on which
//     the rules rest was read in part: what is broken may be in the rest.
func verdict(r *Report, s *evidence.Snapshot, cat *catalog.Catalog) Verdict {
	v := ofWhatWasRead(r, s, cat)
	if v != Broken && len(r.ReadInPart) > 0 {
		return Unclear
	}
	return v
}

func ofWhatWasRead(r *Report, s *evidence.Snapshot, cat *catalog.Catalog) Verdict {
	v := Unclear
	seen := wellSeen(s)
	if seen && heardOfAll(s) || asked(s) {
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
		if cat.Stops(sy.ID) == catalog.Node {
			return Broken
		}
		if sy.ExplainedBy == "" && (v == Healthy || seen || cat.Warns(sy.ID)) {
			v = Warn
		}
	}
	return v
}

// telling are the kinds that would show a failure of a node, or of what runs on it.
var telling = []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events}

// wellSeen reports whether what is broken would show: there is a node with its conditions, and the kinds that would tell of a
// failure were read.
func wellSeen(s *evidence.Snapshot) bool {
	for _, k := range telling {
		if s.Covers(k) == evidence.NotRead {
			return false
		}
	}
	return slices.ContainsFunc(s.Nodes(), func(n *evidence.Node) bool { return n.Condition(corev1.NodeReady) != nil })
}

// heardOfAll reports whether the evidence shows a running kubelet for every node.
func heardOfAll(s *evidence.Snapshot) bool {
	return !slices.ContainsFunc(s.Nodes(), func(n *evidence.Node) bool { return !heardOf(s, n) })
}

// heardOf reports whether the evidence shows that the kubelet of a node was running: a lease, or a recent status. A Ready
// condition is not enough, because the control plane may be what stopped.
func heardOf(s *evidence.Snapshot, n *evidence.Node) bool {
	ready := n.Condition(corev1.NodeReady)
	if ready == nil {
		return false
	}
	if l := s.NodeLease(n.Name); l != nil && !l.Renewed.IsZero() {
		return true // whether it is old is a finding
	}
	said := ready.LastHeartbeatTime.Time
	return !said.IsZero() && s.TakenAt().Sub(said) < mechanics.StaleStatus
}

// asked reports whether a node was looked at from inside, as far as it takes to call it healthy: its file systems, its
// runtime, and its kubelet.
func asked(s *evidence.Snapshot) bool {
	for _, r := range s.NodeReports() {
		runtime := r.Runtime != nil && r.Runtime.Answer != ""
		if r.Kind != "" && len(r.Filesystems) > 0 && runtime && r.Kubelet != nil {
			return true
		}
	}
	return false
}

// Grave reports whether a finding alone makes a report broken: it does much harm, and is at least likely.
func (f *Finding) Grave() bool {
	return f.Severity.Rank() <= catalog.Error.Rank() && f.Certainty != Possible
}
