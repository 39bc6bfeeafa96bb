package rules_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// A network without pods is set up on Ready nodes. It is missing on the node that waits for it, or in the cluster if no other node
// has one.
func TestNetworkPluginWithoutPods(t *testing.T) {
	for name, ready := range map[string]bool{"one node waits": true, "every node waits": false} {
		c := newCluster()
		c.pods = slices.DeleteFunc(c.pods, func(p *corev1.Pod) bool { return strings.HasPrefix(p.Name, "calico") })
		for i, n := range c.nodes {
			if i > 0 && ready {
				break
			}
			ready := &n.Status.Conditions[slices.IndexFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool { return c.Type == corev1.NodeReady })]
			ready.Status, ready.Reason = corev1.ConditionFalse, "KubeletNotReady"
			ready.Message = "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"
		}
		want := evidence.ClusterSubject()
		if ready {
			want = evidence.NodeSubject(c.nodes[0].Name)
		}
		var got []evidence.Subject
		for _, f := range judged(t, c.snapshot()).Findings {
			if f.Cause == "cni-not-installed" {
				got = append(got, f.Subject)
			}
		}
		if !slices.Equal(got, []evidence.Subject{want}) {
			t.Errorf("%s: it is missing on %v, not on %v", name, got, want)
		}
	}
}
