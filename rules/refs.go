package rules

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// The proofs that rules attach to their claims, in the words of the objects.

func conditionRef(n *evidence.Node, c *corev1.NodeCondition) evidence.Ref {
	return evidence.Ref{
		Source: "node/" + n.Name, Locator: fmt.Sprintf(".status.conditions[%s]", c.Type),
		Text:       strings.TrimSpace(fmt.Sprintf("%s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message)),
		ObservedAt: c.LastHeartbeatTime.UTC(),
	}
}

func leaseRef(l *evidence.Lease) evidence.Ref {
	return evidence.Ref{
		Source: "lease/" + l.Namespace + "/" + l.Name, Locator: ".spec.renewTime",
		Text: l.Renewed.Format(time.RFC3339), ObservedAt: l.Renewed,
	}
}

func eventRef(e *evidence.Event) evidence.Ref {
	if e.Ref.Source != "" {
		return e.Ref
	}
	return evidence.Ref{Source: "event of " + e.Object.String(), Locator: e.Reason, Text: e.Message, ObservedAt: e.Last}
}

func podRef(p *evidence.Pod, locator, format string, args ...any) evidence.Ref {
	return evidence.Ref{Source: "pod/" + p.Key(), Locator: locator, Text: fmt.Sprintf(format, args...)}
}

func nodeRef(n *evidence.Node, locator, format string, args ...any) evidence.Ref {
	return evidence.Ref{Source: "node/" + n.Name, Locator: locator, Text: fmt.Sprintf(format, args...)}
}

// short prints a duration as people say it: 40s, 3m10s, 2h5m, 3d4h.
func short(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// ago says how long before now t was, or "at an unknown time".
func ago(now, t time.Time) string {
	if now.IsZero() || t.IsZero() {
		return "at an unknown time"
	}
	return short(now.Sub(t)) + " ago"
}
