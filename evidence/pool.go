package evidence

// poolLabels are the labels with the node pool or node group, by cloud and tool.
var poolLabels = []string{
	LabelAgentPool, "agentpool", "eks.amazonaws.com/nodegroup",
	"cloud.google.com/gke-nodepool", "karpenter.sh/nodepool", "node-pool", "nodepool", "pool",
}

// PoolLabel returns the label with the node's pool or node group, and its value; "" if it has none.
func (n *Node) PoolLabel() (key, value string) {
	for _, k := range poolLabels {
		if v := n.Labels[k]; v != "" {
			return k, v
		}
	}
	return "", ""
}

// Managed reports whether the node has a label that only a service with a managed control plane sets.
func Managed(n *Node) bool {
	for _, k := range []string{LabelAgentPool, "eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool"} {
		if n.Labels[k] != "" {
			return true
		}
	}
	return false
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
