package evidence

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/clouds"
)

// poolLabels are the labels with the node pool or node group: those of clouds, then those of tools and people.
var poolLabels = append(clouds.PoolLabels(), "agentpool", "karpenter.sh/nodepool", "node-pool", "nodepool", "pool")

// PoolLabel returns the label with the node's pool or node group, and its value; "" if it has none.
func (n *Node) PoolLabel() (key, value string) {
	for _, k := range poolLabels {
		if v := n.Labels[k]; v != "" {
			return k, v
		}
	}
	return "", ""
}

// Pool returns the node's pool or node group, by its label or its name; "" if neither tells.
func (n *Node) Pool() string {
	_, pool := n.PoolLabel()
	return cmp.Or(pool, n.PoolOfName())
}

// Managed reports whether the node has a label that only a service with a managed control plane sets.
func Managed(n *Node) bool {
	return slices.ContainsFunc(clouds.PoolLabels(), func(label string) bool { return n.Labels[label] != "" })
}

// OfControlPlane reports whether the node has the control-plane role.
func OfControlPlane(n *Node) bool {
	for _, role := range []string{"control-plane", "master", "controlplane"} {
		if _, has := n.Labels["node-role.kubernetes.io/"+role]; has {
			return true
		}
	}
	return false
}
