package rules_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/triage"
)

// The object of np1-3 was deleted. A later event of its kubelet shows that it runs; remaining pods show that the node was not
// drained. For a drained node nothing is reported.
func TestDeletedNode(t *testing.T) {
	const node = "np1-3"
	for name, test := range map[string]struct {
		spoil func(*cluster)
		want  triage.Certainty
	}{
		"emptied":   {func(c *cluster) { c.empty(node) }, ""},
		"with pods": {func(*cluster) {}, triage.Possible},
		"with pods, the cloud has no machine": {func(c *cluster) {
			c.event("Node", "", node, "Normal", "DeletingNode", "Deleting node "+node+" because it does not exist in the cloud provider", 40*time.Second)
		}, ""},
		"emptied, and its kubelet speaks": {func(c *cluster) {
			c.empty(node)
			c.event("Node", "", node, "Normal", "NodeHasSufficientMemory", "Node "+node+" status is now: NodeHasSufficientMemory", 5*time.Second).Source.Component = "kubelet"
		}, triage.Likely},
		"emptied, its kubelet spoke before": {func(c *cluster) {
			c.empty(node)
			c.event("Node", "", node, "Normal", "NodeHasSufficientMemory", "Node "+node+" status is now: NodeHasSufficientMemory", 50*time.Second).Source.Component = "kubelet"
		}, ""},
	} {
		c := newCluster()
		c.nodes = slices.DeleteFunc(c.nodes, func(n *corev1.Node) bool { return n.Name == node })
		c.event("Node", "", node, "Normal", "RemovingNode", "Node "+node+" event: Removing Node "+node+" from Controller", 40*time.Second)
		test.spoil(c)
		var got triage.Certainty
		r := judged(t, c.snapshot())
		for _, f := range r.Findings {
			if f.Cause == "node-object-deleted" {
				got = f.Certainty
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q; %s", name, got, test.want, ids(r))
		}
	}
}

// empty removes all pods of a node except those of DaemonSets.
func (c *cluster) empty(node string) {
	c.pods = slices.DeleteFunc(c.pods, func(p *corev1.Pod) bool {
		return p.Spec.NodeName == node && p.OwnerReferences[0].Kind != "DaemonSet"
	})
}
