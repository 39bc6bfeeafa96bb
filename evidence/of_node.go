package evidence

import (
	"slices"
	"time"

	storagev1 "k8s.io/api/storage/v1"
)

// OfNode returns the part of a Snapshot that belongs to one node: its object, its pods, their events and usage, and the
// reports of the node and its machine. It contains no other node, and of the cluster only the coverage of each kind.
// Its cost depends on the node, not on the size of the cluster.
func (s *Snapshot) OfNode(name string) *Snapshot {
	whole := &s.data
	part := Data{
		TakenAt: whole.TakenAt, Source: whole.Source, Server: whole.Server, Coverage: whole.Coverage, Gaps: whole.Gaps,
		PodsReadOn: whole.PodsReadOn, PodsReadIn: whole.PodsReadIn, CloudAnswers: whole.CloudAnswers,
		Pods: slices.Clone(s.podsOn[name]), NodeReports: s.reports[name],
	}
	about := []Subject{NodeSubject(name)}
	if n := s.nodes[name]; n != nil {
		part.Nodes = []*Node{n}
		if m := s.MachineOf(n); m != nil {
			part.CloudResources = []CloudResource{m}
		}
	}
	if l := s.nodeLease[name]; l != nil {
		part.Leases = []*Lease{l}
	}
	if k := s.kubelets[name]; k != nil {
		part.Kubelets = []*Kubelet{k}
	}
	if u := s.usage[name]; u != nil {
		part.Usage = []*Usage{u}
	}
	owners := map[*Workload]bool{}
	for _, p := range part.Pods {
		about = append(about, p.Subject())
		if w := s.OwnerOf(p); w != nil && !owners[w] {
			owners[w] = true
			part.Workloads = append(part.Workloads, w)
		}
	}
	for _, subject := range about {
		part.Events = append(part.Events, s.events[subject]...)
		part.Matches = append(part.Matches, s.about[subject]...)
	}
	for _, a := range whole.VolumeAttachments {
		if a.Spec.NodeName == name {
			part.VolumeAttachments = append(part.VolumeAttachments, a)
		}
	}
	if i := slices.IndexFunc(whole.CSINodes, func(n *storagev1.CSINode) bool { return n.Name == name }); i >= 0 {
		part.CSINodes = whole.CSINodes[i : i+1]
	}
	return New(part)
}

// LastBoot returns the last known boot of a node; zero: unknown.
func (s *Snapshot) LastBoot(n *Node) time.Time {
	var t time.Time
	for _, r := range s.Reports(n.Name) {
		if r.Machine != nil && r.Machine.Booted.After(t) {
			t = r.Machine.Booted
		}
	}
	for _, e := range s.EventsOf(n.Subject()) {
		if e.Reason == "Rebooted" && e.Last.After(t) {
			t = e.Last
		}
	}
	return t
}
