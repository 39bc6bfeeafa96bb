package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

const (
	manyNodes = 5000
	sickNodes = 50
)

// fleet is a cluster of 5,000 nodes with two pods each, in which 50 nodes are unreachable, each with another message in its log.
func fleet(t *testing.T) *evidence.Snapshot {
	t.Helper()
	k, err := built()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) metav1.Time { return metav1.NewTime(at.Add(-d)) }
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Name: "fleet"}, k.Signatures)
	b.TakenAt(at)
	for i := range manyNodes {
		name := fmt.Sprintf("aks-pool%d-38412791-vmss%06d", i%7, i)
		ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastTransitionTime: ago(time.Hour), LastHeartbeatTime: ago(time.Minute)}
		if i < sickNodes {
			ready.Status, ready.Reason, ready.Message = corev1.ConditionUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status."
			ready.LastHeartbeatTime = ago(20 * time.Minute)
			b.ScanText("kubelet log of node/"+name, evidence.TextLog, evidence.NodeSubject(name), strings.NewReader(fmt.Sprintf(
				"E0301 09:40:01.%06d 1 kubelet.go:1] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active %dm3s ago; threshold is 3m0s\"\n", i, i+3)))
		}
		b.AddObject(&corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"agentpool": fmt.Sprint("pool", i%7)}, CreationTimestamp: ago(24 * time.Hour)},
			Status:     corev1.NodeStatus{Conditions: []corev1.NodeCondition{ready}},
		})
		for p := range 2 {
			b.AddObject(&corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("web-%d-%d", i, p), Namespace: "shop", CreationTimestamp: ago(24 * time.Hour)},
				Spec:       corev1.PodSpec{NodeName: name, Containers: []corev1.Container{{Name: "c", Image: "i"}}},
				Status:     corev1.PodStatus{Phase: corev1.PodRunning},
			})
		}
	}
	for _, kind := range []evidence.Kind{evidence.Nodes, evidence.Pods} {
		b.Cover(kind, evidence.Complete)
	}
	return b.Snapshot()
}

// The ceiling of an answer holds for a large cluster, on each page, and no item is lost between the pages.
func TestCeilingOfLargeCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes with the race detector, and its goroutines are those of other tests")
	}
	s := connected(t, options(ask.Held{Snapshot: fleet(t)}))
	var sick []string
	for i := range sickNodes {
		sick = append(sick, fmt.Sprintf("aks-pool%d-38412791-vmss%06d", i%7, i))
	}
	for tool, args := range map[string]map[string]any{
		"triage_cluster": {}, "triage_node": {"node": sick[3]}, "check_risks": {}, "plan_drain": {"nodes": sick},
		"verify_node": {"node": sick[0]}, "forecast_pods": {"nodes": sick[:10]},
	} {
		t.Run(tool, func(t *testing.T) {
			items := pages(t, s, tool, args) // call checks the size of each page
			t.Logf("%d items after the first page's head", len(items))
		})
	}
	a := answered(t, s, "triage_cluster", nil)
	if a.Verdict != "broken" || a.First.ID == "" || a.First.Untrusted.Line == "" {
		t.Errorf("the answer has no cause with its line: %+v", a)
	}
}

// Texts that are as long as possible are cut, in each field.
func TestCeilingOfLongTexts(t *testing.T) {
	for _, unit := range []string{"x", "<", "\"", "\\", "é", "\x01", "世"} {
		t.Run(unit, func(t *testing.T) {
			s := connected(t, options(ask.Files{Paths: []string{hostileCluster(t, strings.Repeat(unit, 30_000))}}))
			for _, tool := range []string{"triage_cluster", "check_risks"} {
				pages(t, s, tool, nil)
			}
		})
	}
}
