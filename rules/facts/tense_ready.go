package facts

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// unnamed reports whether a kubelet gave a relist that does not end as its reason, and gives others for not being Ready since: it names all of them at once
// (kubernetes pkg/kubelet/nodestatus/setters.go ReadyCondition, 1.36.3).
func unnamed(p *triage.Pass, m *evidence.Match) (ending, bool) {
	const relist = "pleg is not healthy"
	n := p.Snapshot.Node(NodeOf(p.Snapshot, m.Subject))
	if n == nil || m.Last.IsZero() || m.Kind == evidence.TextCondition || !strings.Contains(strings.ToLower(m.Ref.Text), relist) {
		return ending{}, false
	}
	c := n.Condition(corev1.NodeReady)
	if c == nil || c.Status != corev1.ConditionFalse || c.Message == "" || strings.Contains(strings.ToLower(c.Message), relist) {
		return ending{}, false
	}
	at := c.LastHeartbeatTime.UTC()
	return ending{"node " + n.Name + " gives other reasons for not being Ready at " + stamp(at), at}, at.After(m.Last)
}
