package triage

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics"
)

// verdict returns the verdict on the current state:
//   - broken: an error or critical cause is at least likely, or a symptom stops a node;
//   - warning: another cause above info was found, or a symptom that no cause explains and that warns by itself, or
//     stands in evidence with nodes, pods and events;
//   - healthy: nothing is wrong, and enough was read to be sure;
//   - unknown: otherwise, or if a kind that the rules need was read only in part and nothing is broken.
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

// telling are the kinds that would show a failure of a node or its pods.
var telling = []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events}

// wellSeen reports whether the evidence would show a failure: it has a node with conditions, and the kinds in telling were read.
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
		return true // a stale lease is a finding
	}
	said := ready.LastHeartbeatTime.Time
	return !said.IsZero() && s.TakenAt().Sub(said) < mechanics.StaleStatus
}

// asked reports whether a node report is complete enough to call the node healthy: file systems, runtime and kubelet.
func asked(s *evidence.Snapshot) bool {
	for _, r := range s.NodeReports() {
		runtime := r.Runtime != nil && r.Runtime.Answer != ""
		if r.Kind != "" && len(r.Filesystems) > 0 && runtime && r.Kubelet != nil {
			return true
		}
	}
	return false
}

// Grave reports whether a finding alone makes the verdict broken: at least error, and at least likely.
func (f *Finding) Grave() bool {
	return f.Severity.Rank() <= catalog.Error.Rank() && f.Certainty != Possible
}
