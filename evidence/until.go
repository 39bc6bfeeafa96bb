package evidence

import (
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Until returns the evidence without later changes: without later events, log lines, cloud operations, nodes, pods,
// heartbeats, and without states of pods and conditions that changed later. Their earlier state is unknown. Evidence
// without a time stays unchanged, and a gap reports that. Evidence that is not newer than the time, or has no time, is
// returned unchanged.
func (s *Snapshot) Until(at time.Time) *Snapshot {
	if at.IsZero() || !s.data.TakenAt.After(at) {
		return s
	}
	d := s.data
	later := func(t time.Time) bool { return t.After(at) }
	d.Nodes = keep(d.Nodes, func(n *Node) bool { return !later(n.CreationTimestamp.Time) })
	for i, n := range d.Nodes {
		d.Nodes[i] = n.until(at)
	}
	d.Leases = keep(d.Leases, func(l *Lease) bool { return !later(l.Renewed) })
	if len(d.Leases) < len(s.data.Leases) && d.Coverage[Leases] > Partial {
		d.Coverage = maps.Clone(d.Coverage)
		d.Coverage[Leases] = Partial // there was one, with another time
	}
	d.Pods = keep(d.Pods, func(p *Pod) bool { return !later(p.Created) })
	for i, p := range d.Pods {
		d.Pods[i] = p.until(at)
	}
	d.Kubelets = keep(d.Kubelets, func(k *Kubelet) bool { return !later(k.TakenAt) })
	d.Usage, d.PodUsage = nil, nil // from the time of reading
	d.NodeReports = keep(d.NodeReports, func(r *nodereport.Report) bool {
		return !later(r.TakenAt) && !slices.ContainsFunc(r.Units, func(u nodereport.Unit) bool { return later(u.Since) })
	})
	d.CloudActivities = keep(d.CloudActivities, func(a *CloudActivity) bool { return !later(a.Time) })
	d.CloudResources = keep(d.CloudResources, func(r CloudResource) bool { return !later(r.Item().Ref.ObservedAt) })
	d.Lines = keep(d.Lines, func(l *Line) bool { return !later(l.Time) })
	events := map[*Event]*Event{}
	d.Events = nil
	for _, e := range s.data.Events {
		if u := e.until(at); u != nil {
			d.Events, events[e] = append(d.Events, u), u
		}
	}
	d.Matches = nil
	for _, m := range s.data.Matches {
		if m.Event != nil && events[m.Event] == nil {
			continue
		}
		if u := m.until(at); u != nil {
			u.Event = events[m.Event]
			d.Matches = append(d.Matches, u)
		}
	}
	d.Gaps = append(slices.Clone(d.Gaps), Gap{
		What: "nodes, pods and leases as of " + at.UTC().Format(time.RFC3339),
		Why:  fmt.Sprintf("the evidence has them as of %s alone", d.TakenAt.UTC().Format(time.RFC3339)),
		How:  "evidence that was taken then",
	})
	d.TakenAt = at
	return New(d)
}

func keep[T any](list []T, ok func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !ok(t) })
}

// until returns the node without conditions that changed after the time, and without later taints. A node with a later taint
// of a cordon was not cordoned before.
func (n *Node) until(at time.Time) *Node {
	if n.Node == nil {
		return n
	}
	u, object := *n, *n.Node
	object.ManagedFields = keep(object.ManagedFields, func(m metav1.ManagedFieldsEntry) bool { return m.Time == nil || !m.Time.After(at) })
	object.Spec.Taints = keep(object.Spec.Taints, func(t corev1.Taint) bool { return t.TimeAdded == nil || !t.TimeAdded.After(at) })
	ofCordon := func(t corev1.Taint) bool { return t.Key == corev1.TaintNodeUnschedulable }
	if slices.ContainsFunc(n.Spec.Taints, ofCordon) && !slices.ContainsFunc(object.Spec.Taints, ofCordon) {
		object.Spec.Unschedulable = false
	}
	object.Status.Conditions = keep(object.Status.Conditions, func(c corev1.NodeCondition) bool { return !c.LastTransitionTime.After(at) })
	for i := range object.Status.Conditions {
		if c := &object.Status.Conditions[i]; c.LastHeartbeatTime.After(at) {
			c.LastHeartbeatTime.Time = at
		}
	}
	u.Node = &object
	u.Partial = n.Partial || len(object.Status.Conditions) < len(n.Node.Status.Conditions)
	return &u
}

// until returns the pod without state changes after the time.
func (p *Pod) until(at time.Time) *Pod {
	u := *p
	if !p.Deleted.IsZero() && p.Deleted.Add(-bounds.Times(p.Grace, time.Second)).After(at) {
		u.Deleted, u.Grace, u.Status = time.Time{}, 0, ""
	}
	u.Conditions = keep(p.Conditions, func(c PodCondition) bool { return !c.Since.After(at) })
	if p.ReadySince.After(at) || p.Started.After(at) || p.Ended.After(at) || len(u.Conditions) < len(p.Conditions) {
		u.Partial = true
		u.Phase, u.Status, u.Reason, u.Message = "", "", "", ""
		u.Ready, u.ReadySince, u.ReadyCount, u.Total, u.Restarts = Unknown, time.Time{}, 0, 0, 0
		u.Started, u.Ended, u.Containers, u.Resized, u.Nominated = time.Time{}, time.Time{}, nil, nil, ""
	}
	return &u
}

// until returns the event as of the time, or nil if it came later. A repeated event around the time counts as repeated
// until then.
func (e *Event) until(at time.Time) *Event {
	first := e.First
	if first.IsZero() {
		first = e.Last
	}
	switch {
	case first.After(at):
		return nil
	case !e.Last.After(at):
		return e
	}
	u := *e
	u.Last, u.Ago, u.Ref.ObservedAt = at, nil, at
	return &u
}

// until returns the match as of the time, or nil if its first line came later.
func (m *Match) until(at time.Time) *Match {
	first := m.First
	if first.IsZero() {
		first = m.Ref.ObservedAt
	}
	if first.After(at) {
		return nil
	}
	u := *m
	if u.Ref.ObservedAt.After(at) {
		u.Ref.ObservedAt = at
	}
	if u.Last.After(at) {
		u.Last, u.Span = at, at.Sub(first)
		u.LastText, u.LastLine = "", u.Line
	}
	if u.Until.After(at) {
		u.Until = at
	}
	if end := u.Last; !end.IsZero() && u.Quiet > 0 {
		u.Quiet = max(0, min(u.Quiet, at.Sub(end)))
	}
	return &u
}
