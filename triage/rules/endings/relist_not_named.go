package endings

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// RelistNotNamed resolves a hanging relist if the kubelet has since given other reasons for NotReady. It names all reasons at once
// (kubernetes pkg/kubelet/nodestatus/setters.go ReadyCondition, 1.36.3).
var RelistNotNamed = &triage.Ending{
	ID:     "relist-not-named",
	Doc:    "The kubelet later reports other reasons for NotReady, but not PLEG.",
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n := p.Snapshot.Node(f.Node)
		if n == nil || f.Kind == evidence.TextCondition || !namesRelist(f.Ref.Text) {
			return triage.End{}, false
		}
		c := n.Condition(corev1.NodeReady)
		if c == nil || c.Status != corev1.ConditionFalse {
			return triage.End{}, false
		}
		at := c.LastHeartbeatTime.UTC()
		by := "node " + n.Name + " reports other reasons for NotReady at " + timeline.Stamp(at)
		return triage.End{By: by, At: at}, c.Message != "" && !namesRelist(c.Message) && at.After(f.Last)
	},
}

func namesRelist(text string) bool {
	return strings.Contains(strings.ToLower(text), "pleg is not healthy")
}
