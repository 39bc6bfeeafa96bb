package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// place is the location of a subject, if the evidence shows it.
type place struct {
	subject  evidence.Subject
	anywhere bool
	unseen   bool           // a pod that is not in the evidence
	name     string         // of the node
	node     *evidence.Node // nil: not in the evidence
	owner    evidence.Owner // of a pod
}

func placeOf(s *evidence.Snapshot, about evidence.Subject) place {
	switch about.Kind {
	case "Node":
		return place{subject: about, name: about.Name, node: s.Node(about.Name)}
	case "Pod":
		p := s.Pod(about.Namespace, about.Name)
		if p != nil && (p.Node != "" || !p.Partial || p.Status == "Pending") { // a scheduled pod shows ContainerCreating, not Pending
			return place{subject: about, name: p.Node, node: s.Node(p.Node), owner: p.Owner}
		}
		if node := s.KubeletOf(about); node != "" {
			return place{subject: about, name: node, node: s.Node(node)}
		}
		return place{subject: about, anywhere: true, unseen: p == nil}
	}
	return place{subject: about, anywhere: true}
}

// inScope reports whether a place is related to a selected node.
func (in Input) inScope(there place) bool {
	if len(in.Nodes) == 0 {
		return true
	}
	if there.unseen && in.Snapshot.Covers(evidence.Pods) == evidence.Complete {
		return false // all pods of the nodes were read: this pod is on another node or deleted
	}
	return slices.ContainsFunc(in.Nodes, func(name string) bool {
		return related(placeOf(in.Snapshot, evidence.NodeSubject(name)), there) && !servesWell(in.Snapshot, there.subject, name)
	})
}

// servesWell reports whether the subject is a DaemonSet whose pod works on the node. Its problem is then on other nodes.
func servesWell(s *evidence.Snapshot, subject evidence.Subject, node string) bool {
	return subject.Kind == "DaemonSet" && slices.ContainsFunc(s.PodsOn(node), func(p *evidence.Pod) bool {
		return p.Owner.Kind == subject.Kind && p.Owner.Name == subject.Name && p.Namespace == subject.Namespace && p.Works()
	})
}

// related reports whether a problem of a can cause a problem of b.
//   - Without a subject, and for the cluster or a workload, it may concern everything.
//   - A zone or pool concerns its nodes, and a pool no other pool.
//   - A node concerns itself, its pods, and unscheduled pods.
//   - A pod concerns its node, the other pods on it, and those of its controller.
func related(a, b place) bool {
	switch {
	case a.subject == b.subject:
		return true
	case a.subject.Kind == "Pool" && b.subject.Kind == "Pool":
		return false
	case a.ofNodes():
		return b.node == nil || b.in(a.subject)
	case b.ofNodes():
		return a.node == nil || a.in(b.subject)
	case a.anywhere || b.anywhere:
		return true
	case a.owner != (evidence.Owner{}) && a.owner == b.owner:
		return true
	case a.name == "" || b.name == "": // an unscheduled pod
		return a.subject.Kind == "Node" || b.subject.Kind == "Node"
	}
	return a.name == b.name
}

// onNoNode reports whether the place is an unscheduled pod.
func onNoNode(p place) bool { return p.subject.Kind == "Pod" && p.name == "" && !p.anywhere }

// ofNodes reports whether the place is a zone or pool.
func (p place) ofNodes() bool { return p.subject.Kind == "Zone" || p.subject.Kind == "Pool" }

// in reports whether the node of the place is in the zone or pool.
func (p place) in(group evidence.Subject) bool {
	if group.Kind == "Zone" {
		return Zone(p.node) == group.Name
	}
	return Pool(p.node) == group.Name
}
