package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// inside is the terminal output of a person on one of the twelve nodes: a running kubelet, an unhealthy PLEG, a network agent that
// cannot create its tunnel, and no kernel module for it.
const inside = `[root@b-04 ~]# systemctl status kubelet
● kubelet.service - kubelet: The Kubernetes Node Agent
     Active: active (running) since Sun 2026-03-01 09:12:07 UTC; 8min ago
[root@b-04 ~]# journalctl -u kubelet -n 2 --no-pager
Mar 01 09:20:11 b-04 kubelet[812]: E0301 09:20:11.000000     812 kubelet.go:2466] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 5m3.1s ago; threshold is 3m0s"
[root@b-04 ~]# crictl logs 4f1c | tail -1
2026-03-01 09:35:00.000 [ERROR][61] felix/vxlan_mgr.go 513: failed to create vxlan tunnel device error=operation not supported
[root@b-04 ~]# lsmod | grep vxlan
[root@b-04 ~]#
`

// Twelve nodes of one zone become NotReady within a minute after an image update, and a person checks one of them. The module is
// the first finding, the zone and the image are named, and the other eleven nodes are listed as likely.
func TestTwelveNodes(t *testing.T) {
	in := knowledge(t)
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, in.Signatures)
	b.TakenAt(at)
	add := func(name, zone, image string, down time.Duration) {
		ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: ago(time.Minute), LastTransitionTime: ago(month)}
		network := corev1.NodeCondition{Type: corev1.NodeNetworkUnavailable, Status: corev1.ConditionFalse, Reason: "CalicoIsUp", Message: "Calico is running on this node"}
		if down > 0 {
			ready.Status, ready.Reason, ready.Message = corev1.ConditionFalse, "KubeletNotReady", "PLEG is not healthy: pleg was last seen active 5m3.1s ago; threshold is 3m0s"
			ready.LastTransitionTime = ago(down)
			network.Status, network.Reason, network.Message = corev1.ConditionTrue, "CalicoIsDown", "Calico is shutting down on this node"
		}
		b.AddObject(&corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: ago(month), Labels: map[string]string{
				"topology.kubernetes.io/zone": zone, "eks.amazonaws.com/nodegroup-image": image,
			}},
			Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{ready, network}, NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3"}},
		})
	}
	for i := range 12 {
		add(fmt.Sprintf("b-%02d", i), "us-east-1b", "ami-2", 45*time.Minute-time.Duration(i)*4*time.Second)
	}
	for i := range 20 {
		add(fmt.Sprintf("ac-%02d", i), []string{"us-east-1a", "us-east-1c"}[i%2], "ami-1", 0)
	}
	b.Cover(evidence.Nodes, evidence.Complete)
	b.AddStream("b-04.txt", strings.NewReader(inside))
	in.Snapshot, in.Rulebook = b.Snapshot(), rules.All()
	r := triage.Run(in)

	first := r.Findings[0]
	if first.Cause != "kernel-module-missing" || first.Certainty != triage.Certain || first.Subject != evidence.NodeSubject("b-04") {
		t.Errorf("first is %s (%s) on %s", first.Cause, first.Certainty, first.Subject)
	}
	if !strings.Contains(first.Summary, "vxlan") || !slices.ContainsFunc(first.Evidence, func(e evidence.Ref) bool { return strings.Contains(e.Text, "failed to create vxlan tunnel") }) {
		t.Errorf("it does not show what the agent said: %s, %v", first.Summary, first.Evidence)
	}
	for _, effect := range []string{"correlated-failure", "network-unavailable", "node-not-ready"} {
		if !slices.Contains(first.Explains, effect) {
			t.Errorf("it does not explain %s, only %v", effect, first.Explains)
		}
	}
	if slices.Contains(first.Explains, "pleg-unhealthy") {
		t.Errorf("a module that the network needs explains the list of containers that does not end: %v", first.Explains)
	}
	if len(first.LikelyOn) != 11 {
		t.Errorf("it is offered for %d nodes, want the other 11; all findings: %+v", len(first.LikelyOn), r.Findings)
	}
	if len(r.Cohorts) != 1 || len(r.Cohorts[0].Nodes) != 12 || r.Cohorts[0].Shared["zone"] != "us-east-1b" || r.Cohorts[0].Shared["node image"] != "ami-2" {
		t.Errorf("the cohort is %+v", r.Cohorts)
	}
	i := slices.IndexFunc(r.Findings, func(f triage.Finding) bool { return f.Cause == "correlated-failure" })
	if i < 0 || r.Findings[i].ExplainedBy != first.Cause || !strings.Contains(r.Findings[i].Summary, "us-east-1b") {
		t.Errorf("the failure of the zone is not told as a consequence: %v", r.Findings)
	}
	if r.Verdict != triage.Broken {
		t.Errorf("the verdict is %s", r.Verdict)
	}
}
