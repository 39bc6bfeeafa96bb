package rules_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules"
	"github.com/nodetriage/nodetriage/triage"
)

// BenchmarkReport judges 5,000 nodes with 150,000 pods: all well, some sick, and all silent at once, which is the
// worst that can happen to the graph of causes; and one node with its twins.
func BenchmarkReport(b *testing.B) {
	for _, size := range []struct {
		name              string
		nodes, pods, sick int
	}{{"healthy", 5000, 30, 0}, {"sick=50", 5000, 30, 50}, {"all-silent", 5000, 30, 5000}, {"one-node", 6, 30, 1}} {
		b.Run(size.name, func(b *testing.B) {
			in := knowledge(b)
			in.Snapshot, in.Rules = big(in, size.nodes, size.pods, size.sick), rules.All()
			b.ResetTimer()
			for range b.N {
				triage.Run(in)
			}
		})
	}
}

func big(in triage.Input, nodes, pods, sick int) *evidence.Snapshot {
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, in.Signatures)
	b.TakenAt(at)
	c := &cluster{}
	for i := range nodes {
		n := c.node(fmt.Sprintf("node-%04d", i), fmt.Sprintf("pool-%d", i%7), i, month)
		if i < sick {
			*ready(n) = corev1.NodeCondition{
				Type: corev1.NodeReady, Status: corev1.ConditionUnknown, Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status.",
				LastTransitionTime: ago(20 * time.Minute), LastHeartbeatTime: ago(22 * time.Minute),
			}
			c.event("Node", "", n.Name, "Normal", "NodeNotReady", "Node "+n.Name+" status is now: NodeNotReady", 20*time.Minute)
		}
		b.AddObject(n)
		for j := range pods {
			p := c.pod("shop", fmt.Sprintf("p-%d-%d", i, j), n.Name, "ReplicaSet", fmt.Sprintf("set-%d", j), month)
			if i < sick {
				p.Status.Conditions[1] = corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: ago(20 * time.Minute)}
			}
			b.AddObject(p)
		}
		c.pods = c.pods[:0]
	}
	for _, e := range c.events {
		b.AddObject(e)
	}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events} {
		b.Cover(k, evidence.Complete)
	}
	return b.Snapshot()
}
