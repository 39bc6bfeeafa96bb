package facts

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// The proofs that rules attach to their claims, quoted from the objects.

// ConditionRef quotes a condition. For a table row it quotes the row, which shows the Ready condition.
func ConditionRef(n *evidence.Node, c *corev1.NodeCondition) evidence.Ref {
	if n.Partial && c.Reason == "" && n.Ref.Source != "" {
		return n.Ref
	}
	return evidence.Ref{
		Source: n.Source(), Locator: fmt.Sprintf(".status.conditions[%s]", c.Type),
		Text:       strings.TrimSpace(fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message)),
		ObservedAt: c.LastHeartbeatTime.UTC(),
	}
}

// LeaseRef quotes the renewTime of a lease.
func LeaseRef(l *evidence.Lease) evidence.Ref {
	return evidence.Ref{
		Source: "lease/" + l.Namespace + "/" + l.Name, Locator: ".spec.renewTime",
		Text: l.Renewed.Format(time.RFC3339), ObservedAt: l.Renewed,
	}
}

// EventRef quotes an event.
func EventRef(e *evidence.Event) evidence.Ref {
	if e.Ref.Source != "" {
		return e.Ref
	}
	return evidence.Ref{Source: e.Place(), Locator: e.Reason, Text: e.Message, ObservedAt: e.Last}
}

// PodRef quotes a part of a pod.
func PodRef(p *evidence.Pod, locator, format string, args ...any) evidence.Ref {
	return evidence.Ref{Source: "pod/" + p.Key(), Locator: locator, Text: fmt.Sprintf(format, args...)}
}

// NodeRef quotes a part of a node.
func NodeRef(n *evidence.Node, locator, format string, args ...any) evidence.Ref {
	return evidence.Ref{Source: n.Source(), Locator: locator, Text: fmt.Sprintf(format, args...)}
}

// CloudRef quotes a resource of the cloud.
func CloudRef(of evidence.CloudResource, locator, text string) evidence.Ref {
	r, ref := of.Item(), of.Item().Ref
	ref.Locator, ref.Text = strings.TrimSpace(r.Type+" "+r.Name+" "+locator), text
	if ref.Source == "" {
		ref.Source = "cloud"
	}
	return ref
}
