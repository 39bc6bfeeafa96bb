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

// systemNamespaces hold what nodes need to work.
func systemNamespace(ns string) bool {
	switch ns {
	case "kube-system", "calico-system", "tigera-operator", "cilium", "kube-flannel", "gmp-system", "gke-managed-system",
		"openshift-sdn", "openshift-ovn-kubernetes", "openshift-multus", "openshift-dns":
		return true
	}
	return false
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

// works tells whether the pod runs with all its containers ready.
func works(p *evidence.Pod) bool {
	if p.Deleting() {
		return false
	}
	switch p.Ready {
	case evidence.True:
		return true
	case evidence.False:
		return p.Phase == corev1.PodSucceeded
	}
	return p.Status == "Running" && p.ReadyCount == p.Total || p.Status == "Completed" || p.Status == "Succeeded"
}
