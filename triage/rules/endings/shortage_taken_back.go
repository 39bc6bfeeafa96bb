package endings

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// ShortageTakenBack resolves a shortage that the kubelet has since reported as False.
var ShortageTakenBack = &triage.Ending{
	ID:     "shortage-taken-back",
	Doc:    "The node's pressure conditions became False after the message.",
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		n, symptom := p.Snapshot.Node(f.Node), p.Catalog.Symptom(f.Says)
		if n == nil || n.Partial || symptom == nil || f.Kind == evidence.TextCondition {
			return triage.End{}, false
		}
		last := lastOfAllFalse(n, symptom.Conditions)
		if last == nil || f.Last.Truncate(time.Second).After(last.LastTransitionTime.Time) { // times of API objects are whole seconds
			return triage.End{}, false
		}
		at := last.LastTransitionTime.UTC()
		return triage.End{By: "node " + n.Name + " says " + string(last.Type) + "=False since " + timeline.Stamp(at), At: at}, true
	},
}

// lastOfAllFalse returns the condition that became False last; nil: not all are False.
func lastOfAllFalse(n *evidence.Node, types []string) *corev1.NodeCondition {
	var last *corev1.NodeCondition
	for _, typ := range types {
		c := n.Condition(corev1.NodeConditionType(typ))
		if c == nil || c.Status != corev1.ConditionFalse {
			return nil
		}
		if last == nil || c.LastTransitionTime.After(last.LastTransitionTime.Time) {
			last = c
		}
	}
	return last
}
