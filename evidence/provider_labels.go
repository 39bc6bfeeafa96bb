package evidence

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Labels, taints and conditions that a managed service sets on its nodes, and the schemes of provider ids. What the
// service means by them is in the rules that read them.
const (
	LabelClusterGroup  = "kubernetes.azure.com/cluster"            // the resource group of the node's machine
	LabelAgentPool     = "kubernetes.azure.com/agentpool"          // the node's pool
	LabelNodeImage     = "kubernetes.azure.com/node-image-version" // the image of the node's machine
	LabelUpgradeStatus = "kubernetes.azure.com/upgrade-status"     // how an upgrade treats the node: "Quarantined"
	LabelScaleSetSpot  = "kubernetes.azure.com/scalesetpriority"   // "spot", also the key of a taint
	LabelPriority      = "kubernetes.azure.com/priority"           // "spot"

	LabelPoolMode = "kubernetes.azure.com/mode" // "system" or "user"

	// AnnotationNoScaleDown says why the autoscaler must leave the node: "upgrade".
	AnnotationNoScaleDown = "kubernetes.azure.com/azure-cluster-autoscaler-scale-down-disabled-reason"
	// TaintRemediator is on a node that the service drains for an event that the platform announced.
	TaintRemediator = "remediator.kubernetes.azure.com/unschedulable"
	// ConditionNodeHealthy is the service's own view of a node; False is bad.
	ConditionNodeHealthy = "kubernetes.azure.com/NodeHealthy"
)

// providerLabels are those that a provider keeps for itself, by how they begin: AKS refuses and resets them (learn.microsoft.com: use
// labels in an AKS cluster, reserved prefixes), and the others tell autoscalers and upgrades which machines are whose.
var providerLabels = []string{
	"kubernetes.azure.com/", "eks.amazonaws.com/", "alpha.eksctl.io/", "cloud.google.com/", "karpenter.sh/", "karpenter.k8s.aws/", "karpenter.azure.com/",
}

// ProviderLabel reports whether a provider keeps the label for itself.
func ProviderLabel(key string) bool {
	return key == "agentpool" || slices.ContainsFunc(providerLabels, func(of string) bool { return strings.HasPrefix(key, of) })
}

// poolNamed is how AKS names the Linux machines of a pool, as its documentation shows them: the pool, eight digits of the cluster, and the
// number of the machine to the base of 36.
var poolNamed = lazyregexp.New(`^aks-([a-z][a-z0-9]{0,11})-\d{8}-vmss[0-9a-z]{6}$`)

// PoolOfName is the pool that the name of a node tells of, for tables that show no labels; empty: it tells of none.
func (n *Node) PoolOfName() string {
	m := poolNamed.FindStringSubmatch(n.Name)
	if m == nil {
		return ""
	}
	return m[1]
}

// ManagedMachine returns the id of a machine of which pools and clusters are read and repaired, and reports whether the
// provider id names one.
func ManagedMachine(providerID string) (id string, ok bool) {
	return strings.CutPrefix(providerID, "azure://")
}

// ForSystem reports whether the node's pool is set apart for the pods that the cluster itself needs.
func ForSystem(n *Node) bool { return n.Labels[LabelPoolMode] == "system" }

// ProviderOf returns the cloud that a provider id or the labels of a node name: "azure", "aws", "gcp" and others; "" if
// they name none.
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

// InCloud reports whether the node names a cloud that has its machine, known here or not.
func InCloud(n *Node) bool {
	scheme, _, found := strings.Cut(n.Spec.ProviderID, "://")
	return ProviderOf(n) != "" || found && !localSchemes[scheme]
}

// localSchemes are those of provider ids of clusters that have no cloud.
var localSchemes = map[string]bool{
	"kind": true, "k3s": true, "k0s": true, "k3d": true, "rke2": true, "minikube": true, "microk8s": true, "metal3": true, "baremetalhost": true, "docker": true,
}

// providerSchemes are the clouds by the scheme of a node's provider id.
var providerSchemes = map[string]string{
	"azure": "azure", "aws": "aws", "gce": "gcp", "hcloud": "hetzner", "hrobot": "hetzner", "openstack": "openstack", "vsphere": "vsphere",
}
