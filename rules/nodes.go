package rules

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// since is when the node left Ready; zero if it did not or nobody knows.
func since(n *evidence.Node) time.Time {
	if c := n.Condition(corev1.NodeReady); c != nil && c.Status != corev1.ConditionTrue {
		return c.LastTransitionTime.UTC()
	}
	return time.Time{}
}

// isTrue tells whether the node reports the condition as True.
func isTrue(n *evidence.Node, typ corev1.NodeConditionType) bool {
	c := n.Condition(typ)
	return c != nil && c.Status == corev1.ConditionTrue
}

// networkAgents are the names of the pods that give a node its pod network, one per node.
var networkAgents = []string{
	"calico-node", "canal", "kube-flannel", "cilium-", "weave-net", "aws-node", "azure-cns", "azure-cni", "antrea-agent", "kube-router",
	"ovnkube-node", "sdn-", "kindnet", "anetd", "netd-", "kube-ovn-cni",
}

// networkAgent returns which agent's pod it is by its name, or "".
func networkAgent(name string) string {
	for _, a := range networkAgents {
		if strings.HasPrefix(name, a) && !strings.Contains(name, "operator") && !strings.Contains(name, "autoscaler") {
			return strings.TrimSuffix(a, "-")
		}
	}
	return ""
}
