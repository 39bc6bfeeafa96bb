package evidence

import (
	"fmt"
	"strings"
	"time"
)

// CordonedBy returns when and by which client the node was cordoned, from the taint, the field managers and annotations
// of tools. Zero values: unknown.
func (n *Node) CordonedBy() (at time.Time, by string) {
	if t := n.Taint("node.kubernetes.io/unschedulable"); t != nil && t.TimeAdded != nil {
		at = t.TimeAdded.UTC()
	}
	if m := DrainCordon(n.Node); m != nil {
		if !m.At.IsZero() {
			at = m.At.UTC()
		}
		return at, "a nodetriage drain of " + m.Who()
	}
	for _, m := range n.ManagedFields {
		by = m.Manager
		if m.Time != nil && at.IsZero() {
			at = m.Time.UTC()
		}
	}
	for _, k := range sortedKeys(n.Annotations) {
		if v := n.Annotations[k]; k != MarkCordon && strings.Contains(k, "cordon") && len(v) < 200 {
			by = strings.TrimSpace(fmt.Sprintf("%s (annotation %s=%s)", by, k, v))
		}
	}
	return at, by
}
