package check_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
)

// A node whose kernel is too old for its network agent is reported, and an agent whose release is not tested with the kubelet.
func TestPluginVersions(t *testing.T) {
	d := evidence.Data{TakenAt: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), Coverage: map[evidence.Kind]evidence.Coverage{
		evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete,
	}}
	for node, kernel := range map[string]string{"old": "5.4.0-216-generic", "new": "6.8.0-45-generic"} {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}
		n.Status.NodeInfo = corev1.NodeSystemInfo{KernelVersion: kernel, KubeletVersion: "v1.34.1"}
		d.Nodes = append(d.Nodes, &evidence.Node{Node: n})
		d.Pods = append(d.Pods, &evidence.Pod{
			Namespace: "kube-system", Name: "calico-node-" + node, Node: node, Phase: corev1.PodRunning,
			Owner: evidence.Owner{Kind: "DaemonSet", Name: "calico-node"},
			Spec:  &corev1.PodSpec{Containers: []corev1.Container{{Image: "docker.io/calico/node:v3.29.1"}}},
		})
	}
	got := map[string]string{}
	for _, w := range check.New(evidence.New(d), time.Time{}, nil).Weaknesses {
		for i, s := range w.Subjects {
			got[w.Check+" "+s.Name] = w.Details[i]
		}
	}
	for at, want := range map[string]string{
		"plugin-needs old":            "Calico 3.29.1 on kernel 5.4.0-216-generic; it requires 5.10 or later",
		"plugin-needs new":            "",
		"plugin-untested calico-node": "Calico 3.29.1 with kubelet v1.34.1; tested with 1.29 to 1.32",
	} {
		if got[at] != want {
			t.Errorf("%s: got %q, want %q", at, got[at], want)
		}
	}
}
