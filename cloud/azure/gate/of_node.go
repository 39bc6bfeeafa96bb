package gate

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
)

// Of returns the judgement of a node at a time. The report is about that node only, so that the certainty of a finding is that on this node.
func Of(s *evidence.Snapshot, r *triage.Report, cat *catalog.Catalog, node string, at time.Time) Judgement {
	j := Judgement{At: s.TakenAt(), Exists: evidence.Unknown}
	n := s.Node(node)
	if n == nil {
		if s.Covers(evidence.Nodes) == evidence.Complete {
			j.Exists = evidence.False
		}
		return j
	}
	j.Exists, j.Ready, j.Booted = evidence.True, n.Ready(), booted(s, n)
	j.Lease = leaseFresh(s, node, at)
	j.System, j.Missing = systemPods(s, n)
	on := place{s, cat, node}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Grave() && on.has(r, f) {
			fault := Fault{Cause: f.Cause, Summary: f.Summary, Certainty: f.Certainty}
			if f.Since != nil {
				fault.Since = *f.Since
			}
			j.Faults = append(j.Faults, fault)
		}
	}
	for _, u := range r.NotChecked {
		j.NotChecked = append(j.NotChecked, u.What)
	}
	return j
}

// place is a node in the evidence.
type place struct {
	snapshot *evidence.Snapshot
	catalog  *catalog.Catalog
	node     string
}

// has reports whether the finding is a fault of the node, and not the effect of a fault elsewhere.
func (p place) has(r *triage.Report, f *triage.Finding) bool {
	if !p.shows(f) {
		return false
	}
	for i := range r.Findings {
		if r.Findings[i].Cause == f.ExplainedBy {
			return p.shows(&r.Findings[i])
		}
	}
	return true
}

// shows reports whether the finding is about the node, about a pod that the node needs, or about any of its pods if the cause is one of
// nodes: a wrong cgroup driver shows in the first pod that starts.
func (p place) shows(f *triage.Finding) bool {
	c := p.catalog.Cause(f.Cause)
	ofNodes := c != nil && c.Scope == catalog.Node
	return slices.ContainsFunc(f.Subjects, func(about evidence.Subject) bool {
		if about.Kind != "Pod" {
			return about == evidence.NodeSubject(p.node)
		}
		pod := p.snapshot.Pod(about.Namespace, about.Name)
		return pod != nil && pod.Node == p.node && (ofNodes || ofSystem(pod))
	})
}

// registering is the longest time between the boot of a new machine and its registration.
const registering = 5 * time.Minute

// booted returns the last known boot of the node.
func booted(s *evidence.Snapshot, n *evidence.Node) time.Time {
	var t time.Time
	if !n.CreationTimestamp.IsZero() {
		t = n.CreationTimestamp.Add(-registering)
	}
	if boot := s.LastBoot(n); boot.After(t) {
		return boot
	}
	return t
}

// leaseFresh reports whether the kubelet renewed the lease of the node in time.
func leaseFresh(s *evidence.Snapshot, node string, at time.Time) evidence.Fact {
	l := s.NodeLease(node)
	if l == nil || l.Renewed.IsZero() {
		return evidence.Unknown
	}
	return evidence.Known(at.Sub(l.Renewed) <= mechanics.MissedLease)
}

// systemPods reports whether the system pods of the node and its network agent run, and the first that does not. A cluster whose nodes
// run no known network agent needs none.
func systemPods(s *evidence.Snapshot, n *evidence.Node) (evidence.Fact, string) {
	if s.Covers(evidence.Pods) == evidence.NotRead {
		return evidence.Unknown, "the pods of the node were not read"
	}
	agent := false
	for _, p := range s.PodsOn(n.Name) {
		if !ofSystem(p) || p.Finished() {
			continue
		}
		if !p.Works() {
			return evidence.False, fmt.Sprintf("pod %s is not ready", p.Key())
		}
		agent = agent || components.NetworkAgent(p.Name) != nil
	}
	if !agent && agentsElsewhere(s, n) {
		return evidence.False, "no network agent runs on the node"
	}
	return evidence.True, ""
}

// ofSystem reports whether the node needs the pod: a pod that only this node can run, of the system or of a network plugin.
func ofSystem(p *evidence.Pod) bool {
	if components.NetworkAgent(p.Name) != nil {
		return true
	}
	here := mechanics.Replaces(p) == mechanics.OnSameNode || p.Mirror
	return here && evidence.SystemNamespace(p.Namespace)
}

// agentsElsewhere reports whether other nodes with the same operating system run a network agent.
func agentsElsewhere(s *evidence.Snapshot, n *evidence.Node) bool {
	system := n.Node.Status.NodeInfo.OperatingSystem
	return slices.ContainsFunc(s.Nodes(), func(other *evidence.Node) bool {
		if other.Name == n.Name || other.Node.Status.NodeInfo.OperatingSystem != system {
			return false
		}
		return slices.ContainsFunc(s.PodsOn(other.Name), func(p *evidence.Pod) bool { return components.NetworkAgent(p.Name) != nil })
	})
}
