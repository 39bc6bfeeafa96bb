package rules_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// BenchmarkReport judges 5,000 nodes with 150,000 pods: all healthy, some unhealthy, and all unreachable at once, which is the
// worst case for the causal graph; and one unhealthy node with healthy peers.
func BenchmarkReport(b *testing.B) {
	for _, size := range []struct {
		name              string
		nodes, pods, sick int
	}{{"healthy", 5000, 30, 0}, {"sick=50", 5000, 30, 50}, {"all-silent", 5000, 30, 5000}, {"one-node", 6, 30, 1}} {
		b.Run(size.name, func(b *testing.B) {
			in := knowledge(b)
			in.Snapshot, in.Rulebook = big(in, size.nodes, size.pods, size.sick), rules.All()
			b.ResetTimer()
			for range b.N {
				triage.Run(in)
			}
		})
	}
}

// BenchmarkActivities judges an activity log in which thousands of operations failed, and every other one succeeded later: each
// with its own request, or all with one request.
func BenchmarkActivities(b *testing.B) {
	for _, chains := range []int{8000, 1} {
		b.Run(fmt.Sprintf("requests=%d", chains), func(b *testing.B) {
			in := knowledge(b)
			in.Snapshot, in.Rulebook = activityLog(in, 4000, chains), rules.All()
			if n := len(in.Snapshot.Data().CloudActivities); n != 8000 {
				b.Fatalf("%d activities were read", n)
			}
			b.ResetTimer()
			for range b.N {
				triage.Run(in)
			}
		})
	}
}

func activityLog(in triage.Input, failures, chains int) *evidence.Snapshot {
	const group = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/"
	var entries []string
	for i := range 2 * failures {
		of, status, message := i%failures, "Failed", `{\"error\":{\"code\":\"AllocationFailed\",\"message\":\"Allocation failed.\"}}`
		if i >= failures {
			of, status, message = of-i%2, "Succeeded", ""
		}
		entries = append(entries, fmt.Sprintf(`{"eventTimestamp": %q, "operationName": {"value": "Microsoft.Compute/virtualMachineScaleSets/write"}, "status": {"value": %q},
			"resourceId": "%saks-%d-vmss", "operationId": "op-%d", "correlationId": "chain-%d", "properties": {"statusMessage": "%s"}}`,
			at.Add(time.Duration(i-2*failures)*time.Second).Format(time.RFC3339), status, group, of, i, i%chains, message))
	}
	b := collect.NewBuilder(evidence.Source{Kind: "file"}, in.Signatures)
	b.TakenAt(at)
	b.AddStream("activity.json", strings.NewReader("["+strings.Join(entries, ",")+"]"))
	return b.Snapshot()
}

// BenchmarkLogs judges the logs of many unhealthy nodes with matches of many signatures.
func BenchmarkLogs(b *testing.B) {
	in := knowledge(b)
	builder := collect.NewBuilder(evidence.Source{Kind: "cluster"}, in.Signatures)
	builder.TakenAt(at)
	c := &cluster{}
	for i := range 2000 {
		n := c.node(fmt.Sprintf("node-%04d", i), fmt.Sprintf("pool-%d", i%7), i, month)
		*ready(n) = corev1.NodeCondition{
			Type: corev1.NodeReady, Status: corev1.ConditionFalse, Reason: "KubeletNotReady", Message: "container runtime is down",
			LastTransitionTime: ago(20 * time.Minute), LastHeartbeatTime: ago(time.Minute),
		}
		builder.AddObject(n)
		builder.ScanText("kubelet log of node/"+n.Name, evidence.TextLog, evidence.NodeSubject(n.Name), strings.NewReader(sickLog))
	}
	builder.Cover(evidence.Nodes, evidence.Complete)
	in.Snapshot, in.Rulebook = builder.Snapshot(), rules.All()
	b.ResetTimer()
	for range b.N {
		triage.Run(in)
	}
}

const sickLog = `E0301 09:40:01.000001 1 kubelet.go:1] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 5m3s ago; threshold is 3m0s"
E0301 09:40:02.000001 1 remote_runtime.go:1] "ListPodSandbox with filter from runtime service failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"
E0301 09:40:03.000001 1 generic.go:1] "GenericPLEG: Unable to retrieve pods" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"
E0301 09:40:04.000001 1 kubelet.go:1] "Container runtime network not ready" networkReady="NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"
E0301 09:40:05.000001 1 eviction_manager.go:1] "Eviction manager: failed to get summary stats" err="failed to get imageFs stats: rpc error: code = Unavailable desc = connection error: desc = \"transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused\""
E0301 09:40:06.000001 1 pod_workers.go:1] "Error syncing pod, skipping" err="failed to \"CreatePodSandbox\" for \"web\" with CreatePodSandboxError: rpc error: code = Unknown desc = failed to create containerd task: failed to start shim: ttrpc: closed"
`

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
