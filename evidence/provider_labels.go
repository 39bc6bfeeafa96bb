package evidence

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Labels, taints and conditions that a managed service sets on its nodes, and the schemes of provider IDs. The rules
// that read them define their meaning.
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

// providerLabels are reserved label prefixes of providers: AKS rejects and resets them (learn.microsoft.com: use labels
// in an AKS cluster, reserved prefixes), and the others identify machines for autoscalers and upgrades.
var providerLabels = []string{
	"kubernetes.azure.com/", "eks.amazonaws.com/", "alpha.eksctl.io/", "cloud.google.com/", "karpenter.sh/", "karpenter.k8s.aws/", "karpenter.azure.com/",
}

// ProviderLabel reports whether a provider reserves the label.
func ProviderLabel(key string) bool {
	return key == "agentpool" || slices.ContainsFunc(providerLabels, func(of string) bool { return strings.HasPrefix(key, of) })
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

// ProviderOf returns the cloud in the provider ID or the labels of a node: "azure", "aws", "gcp" and others; "" if
// there is none.
func ProviderOf(n *Node) string {
	scheme, _, found := strings.Cut(n.Spec.ProviderID, "://")
	switch {
	case found && providerSchemes[scheme] != "":
		return providerSchemes[scheme]
	case n.Labels[LabelClusterGroup] != "":
		return "azure"
	case n.Labels["eks.amazonaws.com/nodegroup"] != "":
		return "aws"
	case n.Labels["cloud.google.com/gke-nodepool"] != "":
		return "gcp"
	}
	return ""
}

// InCloud reports whether the node belongs to a cloud, known or not.
func InCloud(n *Node) bool {
	scheme, _, found := strings.Cut(n.Spec.ProviderID, "://")
	return ProviderOf(n) != "" || found && !localSchemes[scheme]
}

// localSchemes are provider ID schemes of clusters without a cloud.
var localSchemes = map[string]bool{
	"kind": true, "k3s": true, "k0s": true, "k3d": true, "rke2": true, "minikube": true, "microk8s": true, "metal3": true, "baremetalhost": true, "docker": true,
}

// providerSchemes maps provider ID schemes to clouds.
var providerSchemes = map[string]string{
	"azure": "azure", "aws": "aws", "gce": "gcp", "hcloud": "hetzner", "hrobot": "hetzner", "openstack": "openstack", "vsphere": "vsphere",
}
