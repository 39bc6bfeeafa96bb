package evidence

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Labels, taints and conditions that a managed service sets on its nodes. The rules that read them define their meaning.
const (
	LabelClusterGroup  = "kubernetes.azure.com/cluster"            // the node resource group
	LabelAgentPool     = "kubernetes.azure.com/agentpool"          // the pool
	LabelNodeImage     = "kubernetes.azure.com/node-image-version" // the node image version
	LabelUpgradeStatus = "kubernetes.azure.com/upgrade-status"     // state of the node in an upgrade: "Quarantined"
	LabelScaleSetSpot  = "kubernetes.azure.com/scalesetpriority"   // "spot", also the key of a taint
	LabelPriority      = "kubernetes.azure.com/priority"           // "spot"

	LabelPoolMode = "kubernetes.azure.com/mode" // "system" or "user"

	// AnnotationNoScaleDown is why the autoscaler must keep the node: "upgrade".
	AnnotationNoScaleDown = "kubernetes.azure.com/azure-cluster-autoscaler-scale-down-disabled-reason"
	// TaintRemediator is on a node that the service drains for a scheduled event.
	TaintRemediator = "remediator.kubernetes.azure.com/unschedulable"
	// ConditionNodeHealthy is the health of a node from the service; False is bad.
	ConditionNodeHealthy = "kubernetes.azure.com/NodeHealthy"
)

// ProviderLabel reports whether a provider or Karpenter reserves the label.
func ProviderLabel(key string) bool {
	return key == "agentpool" || strings.HasPrefix(key, "karpenter.sh/") || clouds.Reserved(key)
}

// poolNamed matches the documented names of AKS Linux machines: the pool, eight digits of the cluster, and the number
// of the machine in base 36.
var poolNamed = lazyregexp.New(`^aks-([a-z][a-z0-9]{0,11})-\d{8}-vmss[0-9a-z]{6}$`)

// PoolOfName returns the pool in the name of a node, for tables without labels, or "".
func (n *Node) PoolOfName() string {
	m := poolNamed.FindStringSubmatch(n.Name)
	if m == nil {
		return ""
	}
	return m[1]
}

// ManagedMachine returns the machine ID in a provider ID, and whether its pool and cluster can be read and repaired.
func ManagedMachine(providerID string) (id string, ok bool) {
	return strings.CutPrefix(providerID, "azure://")
}

// ForSystem reports whether the pool of the node is a system pool.
func ForSystem(n *Node) bool { return n.Labels[LabelPoolMode] == "system" }

// ProviderOf returns the name of the cloud in the provider ID or the labels of a node; "" if there is none.
func ProviderOf(n *Node) string {
	return cmp.Or(clouds.OfMachine(n.Spec.ProviderID).Name, clouds.OfLabels(n.Labels).Name)
}

// InCloud reports whether the node belongs to a cloud, known or not.
func InCloud(n *Node) bool { return ProviderOf(n) != "" || clouds.InCloud(n.Spec.ProviderID) }
