package triage

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// A workload is degraded by its node also if the node has only an evicted pod of it, with any exit codes of its containers.
func TestImpactOfEvictedPods(t *testing.T) {
	web := evidence.Owner{Kind: "ReplicaSet", Name: "web"}
	for _, phase := range []corev1.PodPhase{corev1.PodFailed, corev1.PodSucceeded} {
		s := evidence.New(evidence.Data{
			Nodes:     []*evidence.Node{{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "w"}}}},
			Pods:      []*evidence.Pod{{Namespace: "shop", Name: "web-1", Node: "w", Phase: phase, Owner: web}},
			Workloads: []*evidence.Workload{{Kind: "ReplicaSet", Namespace: "shop", Name: "web", Replicas: 2, Ready: 1}},
		})
		i := impactOf(Input{Snapshot: s, Nodes: []string{"w"}}, nil)
		if len(i.Workloads) != 1 || i.Pods[PodOther] != 0 {
			t.Errorf("%s: %d workloads are degraded, want 1; pods %v", phase, len(i.Workloads), i.Pods)
		}
	}
}

// A list of pods that was read completely shows that there are none. A missing list does not.
func TestImpactOfNoPods(t *testing.T) {
	for coverage, want := range map[evidence.Coverage]map[PodState]int{evidence.Complete: {PodRunning: 0}, evidence.NotRead: {}} {
		s := evidence.New(evidence.Data{
			Nodes:    []*evidence.Node{{Node: &corev1.Node{}}},
			Coverage: map[evidence.Kind]evidence.Coverage{evidence.Pods: coverage},
		})
		if got := impactOf(Input{Snapshot: s}, nil).Pods; !maps.Equal(got, want) {
			t.Errorf("coverage %v: %v, want %v", coverage, got, want)
		}
	}
}
