package evidence

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Removal is an announced removal of a node.
type Removal struct {
	What  string    // description: "the cluster autoscaler removes the node"
	Since time.Time // zero: unknown
	Field string    // field of the object
	Text  string    // value of the field
}

// Taints of nodes that are being removed on purpose: cluster-autoscaler utils/taints (its value is the time in
// seconds), Karpenter pkg/apis/v1 and v1beta1.
const (
	TaintToBeDeleted     = "ToBeDeletedByClusterAutoscaler"
	TaintDisrupted       = "karpenter.sh/disrupted"
	taintDisruptedBefore = "karpenter.sh/disruption"
)

var removers = map[string]string{
	TaintToBeDeleted: "the cluster autoscaler removes the node", TaintDisrupted: "Karpenter removes the node", taintDisruptedBefore: "Karpenter removes the node",
}

// Removal returns the removal that the object announces, by a taint or by a deletion that a finalizer delays; nil:
// none.
func (n *Node) Removal() *Removal {
	for _, t := range n.Spec.Taints {
		if says := removers[t.Key]; says != "" {
			return &Removal{What: says, Since: taintedAt(&t), Field: ".spec.taints", Text: strings.TrimPrefix(t.ToString(), ":")}
		}
	}
	if at := n.DeletionTimestamp; at != nil {
		return &Removal{What: "the node object is being deleted", Since: at.UTC(), Field: ".metadata.deletionTimestamp", Text: at.UTC().Format(time.RFC3339)}
	}
	return nil
}

// taintedAt returns when the taint was set. The API server adds no time to NoSchedule taints of other clients, and the
// value of the autoscaler taint is the time.
func taintedAt(t *corev1.Taint) time.Time {
	if t.TimeAdded != nil {
		return t.TimeAdded.UTC()
	}
	if seconds, err := strconv.ParseInt(t.Value, 10, 64); err == nil && seconds > 0 {
		return time.Unix(seconds, 0).UTC()
	}
	return time.Time{}
}
