package timeline

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// nodes marks conditions that report a problem, the last heartbeat of unreachable nodes, cordons, taints that evict pods, and
// nodes that are Ready again.
func (b *builder) nodes() {
	for _, n := range b.snapshot.Data().Nodes {
		for i := range n.Node.Status.Conditions {
			b.condition(n, &n.Node.Status.Conditions[i])
		}
		if l := b.snapshot.NodeLease(n.Name); l != nil && n.Silent() {
			b.add(n.Name, true, Mark{Kind: Heartbeat, From: l.Renewed, Bad: true, Text: "last renewal of its Lease", Where: "lease/" + l.Name})
		}
		if n.Spec.Unschedulable {
			at, by := n.CordonedBy()
			b.add(n.Name, true, Mark{Kind: Cordon, From: at, Open: true, Text: cordonSays(by), Where: "node/" + n.Name})
		}
		for _, t := range n.Spec.Taints {
			if mechanics.Evicts(&t) && t.TimeAdded != nil {
				b.add(n.Name, true, Mark{Kind: Taint, From: t.TimeAdded.UTC(), Text: "taint " + t.Key + ":NoExecute", Where: "node/" + n.Name})
			}
		}
	}
}

func cordonSays(by string) string {
	if by == "" {
		return "cordoned"
	}
	return "cordoned by " + by
}

func (b *builder) condition(n *evidence.Node, c *corev1.NodeCondition) {
	m := Mark{
		Kind: Condition, From: c.LastTransitionTime.UTC(), Where: "node/" + n.Name,
		Text: strings.TrimSpace(fmt.Sprintf("%s=%s %s", c.Type, c.Status, firstOf(c.Message, c.Reason))),
	}
	switch {
	case c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue:
		b.add(n.Name, true, m)
	case c.Type == corev1.NodeReady || evidence.Bad(c) == evidence.True:
		m.Open, m.Bad = true, true
		b.add(n.Name, true, m)
	}
}

// events marks all events about nodes, and warnings about anything else in the lane of its node.
func (b *builder) events() {
	for _, e := range b.snapshot.Data().Events {
		warning := e.Type == corev1.EventTypeWarning
		m := Mark{
			Kind: Event, From: e.First, To: e.Last, Bad: warning || e.Reason == "NodeNotReady", Count: e.Count,
			Text: e.Reason + ": " + e.Message, Where: e.Object.String(),
		}
		if m.From.IsZero() {
			m.From = m.To
		}
		switch node := b.nodeOf(e.Object); {
		case node != "" && (warning || e.Object.Kind == "Node"):
			b.add(node, true, m)
		case warning:
			b.add("cluster", false, m)
		}
	}
}

// matches marks log messages of signatures, from the first to the last. Matches in events are events.
func (b *builder) matches() {
	for _, m := range b.snapshot.Matches() {
		if m.Kind == evidence.TextEvent || m.Kind == evidence.TextCondition {
			continue
		}
		mark := Mark{
			Kind: Log, From: m.First, To: m.Last, Bad: true, Count: m.Count, Text: m.Ref.Text,
			Where: strings.TrimSpace(m.Ref.Source + " " + m.Ref.Locator),
		}
		if b.set != nil {
			if sig := b.set.Lookup(m.Signature); sig != nil {
				mark.Says = sig.Says
			}
		}
		if node := b.nodeOf(m.Subject); node != "" {
			b.add(node, true, mark)
		} else {
			b.add(m.Ref.Source, false, mark)
		}
	}
}

// nodeOf returns the node of the subject, or "".
func (b *builder) nodeOf(s evidence.Subject) string {
	switch s.Kind {
	case "Node":
		return s.Name
	case "Pod":
		if p := b.snapshot.Pod(s.Namespace, s.Name); p != nil {
			return p.Node
		}
	}
	return ""
}

// containers marks the end of a container's previous run, if it failed.
func (b *builder) containers() {
	for _, p := range b.snapshot.Data().Pods {
		for _, c := range p.Containers {
			if p.Node == "" || c.LastEnd.IsZero() || c.LastExitCode == 0 {
				continue
			}
			b.add(p.Node, true, Mark{
				Kind: Container, From: c.LastEnd, Bad: true, Where: "pod/" + p.Key(),
				Text: fmt.Sprintf("container %s exited: %s, exit code %d", c.Name, firstOf(c.LastReason, "Error"), c.LastExitCode),
			})
		}
	}
}

func (b *builder) cloud() {
	for _, a := range b.snapshot.Data().CloudActivities {
		m := Mark{Kind: Cloud, From: a.Time, Bad: a.Failed(), Text: strings.TrimSpace(a.Operation + " " + a.Status), Where: a.Resource}
		for _, e := range a.Errors {
			m.Text += ": " + strings.TrimSpace(e.Code+" "+e.Message)
		}
		b.add("cloud", false, m)
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Length returns the duration of a mark.
func (m Mark) Length() time.Duration { return m.To.Sub(m.From) }
