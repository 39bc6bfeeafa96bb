package triage_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Unscheduled pods are listed at once, grouped by the scheduler's message, unless a finding is about them.
func TestWaiting(t *testing.T) {
	pod := func(name, says string, age time.Duration) *evidence.Pod {
		return &evidence.Pod{Namespace: "shop", Name: name, Phase: corev1.PodPending, Created: now.Add(-age), Spec: &corev1.PodSpec{},
			Conditions: []evidence.PodCondition{{Type: "PodScheduled", Status: "False", Message: says}}}
	}
	const full = "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available"
	s := evidence.New(evidence.Data{TakenAt: now, Pods: []*evidence.Pod{pod("a", full, time.Second), pod("b", full, time.Minute), pod("c", "", time.Minute), pod("d", full, time.Minute)}})
	r := judge(t, s, triage.Claim{Says: "scheduling-insufficient-resources", Subject: evidence.PodSubject("shop", "d"), Certainty: triage.Likely})
	if len(r.Waiting) != 2 || len(r.Waiting[0].Pods) != 2 || r.Waiting[0].Reason != "0/1 nodes are available: 1 Insufficient cpu" || !r.Waiting[0].Since.Equal(now.Add(-time.Minute)) ||
		r.Waiting[0].How != "nodetriage why a -n shop" || r.Waiting[1].Reason != "" {
		t.Errorf("waiting are %+v", r.Waiting)
	}
}
