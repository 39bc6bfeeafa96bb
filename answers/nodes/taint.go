package nodes

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// Taint is one taint of a node, with its meaning.
type Taint struct {
	Key    string     `json:"key"`
	Value  string     `json:"value,omitempty"`
	Effect string     `json:"effect"`
	Since  *time.Time `json:"since"`
	Says   string     `json:"says,omitempty"` // empty: set by the admins of the cluster
}

// taintSays explains the taints of Kubernetes and its cloud controllers (k8s.io/api/core/v1 well_known_taints.go,
// k8s.io/cloud-provider/api v1.36) and of common tools.
var taintSays = map[string]string{
	corev1.TaintNodeNotReady:                         "set while Ready is False; pods are evicted after their tolerationSeconds (default 300)",
	corev1.TaintNodeUnreachable:                      "set while the kubelet posts no status; pods are evicted after their tolerationSeconds (default 300)",
	corev1.TaintNodeUnschedulable:                    "cordoned",
	corev1.TaintNodeMemoryPressure:                   "set while MemoryPressure is True",
	corev1.TaintNodeDiskPressure:                     "set while DiskPressure is True",
	corev1.TaintNodePIDPressure:                      "set while PIDPressure is True",
	corev1.TaintNodeNetworkUnavailable:               "set while NetworkUnavailable is True",
	corev1.TaintNodeOutOfService:                     "a user declared the node dead: its pods are force-deleted and its volumes detached",
	"node.cloudprovider.kubernetes.io/uninitialized": "the cloud controller has not initialized the node yet",
	"node.cloudprovider.kubernetes.io/shutdown":      "the cloud controller reports the VM as shut down",
	evidence.TaintToBeDeleted:                        "the autoscaler is removing the node",
	"DeletionCandidateOfClusterAutoscaler":           "the autoscaler may remove the node",
	evidence.TaintDisrupted:                          "Karpenter is removing the node",
	"karpenter.sh/unregistered":                      "Karpenter waits for the node to register",
	evidence.LabelScaleSetSpot:                       "a spot VM: the cloud may evict it at any time",
	evidence.TaintRemediator:                         "AKS drains the node for a scheduled event of the platform",
	"cloud.google.com/impending-node-termination":    "the cloud is about to terminate the VM",
	"aws-node-termination-handler/spot-itn":          "the cloud is evicting the spot VM",
	"node-role.kubernetes.io/control-plane":          "reserved for the control plane",
	"node-role.kubernetes.io/master":                 "reserved for the control plane",
}

func taints(n *evidence.Node) []Taint {
	out := []Taint{}
	for _, t := range n.Spec.Taints {
		taint := Taint{Key: t.Key, Value: t.Value, Effect: string(t.Effect), Says: taintSays[t.Key]}
		if t.TimeAdded != nil {
			taint.Since = evidence.Stamp(t.TimeAdded.Time)
		}
		if c := components.OfTaint(t.Key); c != nil {
			taint.Says = "set until the agent of " + c.Name + " is ready here"
		}
		if taint.Says == "" && strings.HasPrefix(t.Key, "startup-taint.cluster-autoscaler.kubernetes.io/") {
			taint.Says = "removed when the node is ready for use"
		}
		out = append(out, taint)
	}
	return out
}
