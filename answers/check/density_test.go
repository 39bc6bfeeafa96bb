package check_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
)

// Kubernetes is tested with 110 running pods per node. One more is reported. Completed pods do not count.
func TestPodDensity(t *testing.T) {
	for running, want := range map[int]bool{110: false, 111: true} {
		d := evidence.Data{TakenAt: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), Coverage: map[evidence.Kind]evidence.Coverage{
			evidence.Nodes: evidence.Complete, evidence.Pods: evidence.Complete,
		}}
		d.Nodes = append(d.Nodes, &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "w1"}}})
		for i := range running + 20 {
			p := &evidence.Pod{Namespace: "shop", Name: fmt.Sprintf("p-%d", i), Node: "w1", Phase: corev1.PodRunning}
			if i >= running {
				p.Phase = corev1.PodSucceeded
			}
			d.Pods = append(d.Pods, p)
		}
		r := check.New(evidence.New(d), time.Time{}, nil)
		found := slices.ContainsFunc(r.Weaknesses, func(w check.Weakness) bool {
			return w.Check == "pod-density" && w.Details[0] == "111 pods; Kubernetes is tested with up to 110"
		})
		if found != want {
			t.Errorf("%d pods: found %v", running, found)
		}
	}
}
