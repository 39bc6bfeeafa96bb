package rules

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// logSilence is how long a log must go on without a message before that is over.
const logSilence = 15 * time.Minute

// logEnd reports whether a log goes on without a message, or tells of a runtime that was only restarted.
func logEnd(p *triage.Pass, m *evidence.Match) (ending, bool) {
	if restarted(p, m) {
		return ending{by: "the runtime answered again"}, true
	}
	if !m.Until.IsZero() && !m.Last.IsZero() {
		pause := m.Last.Sub(m.First) / time.Duration(max(m.Count-1, 1))
		if gone := m.Until.Sub(m.Last); gone > max(logSilence, 10*pause) {
			return ending{fmt.Sprintf("its log goes on for %s without it", short(gone)), m.Last}, true
		}
	}
	if n := p.Snapshot.Node(nodeOf(p.Snapshot, m.Subject)); n != nil && !n.Partial && n.Ready() == evidence.True && stopsNode(p, m) {
		ready := n.Condition(corev1.NodeReady).LastTransitionTime.UTC()
		if !m.Last.IsZero() && ready.After(m.Last) {
			return ending{"node " + n.Name + " is Ready since " + stamp(ready), ready}, true
		}
	}
	return ending{}, false
}

// stopsNode reports whether what a message says keeps a node from being Ready.
func stopsNode(p *triage.Pass, m *evidence.Match) bool {
	says := p.Signatures.Lookup(m.Signature).Says
	return says == "node-not-ready" || p.Catalog.Explains(says, "node-not-ready") || p.Catalog.Explains(says, "node-silent")
}
