package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/simulate"
)

// drainPlacer finds room for the pods of a plan as a forecast does.
type drainPlacer struct {
	placer placer
	s      *evidence.Snapshot
}

// Place closes the nodes by the taint that a cordon brings.
func (p *drainPlacer) Place(pods []*evidence.Pod, closed []string) []plan.Placement {
	after := simulate.After{Taints: map[string][]corev1.Taint{}}
	for _, n := range closed {
		after.Taints[n] = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}
	}
	wanted := make([]simulate.Wanted, 0, len(pods))
	for _, pod := range pods {
		wanted = append(wanted, simulate.Wanted{Like: pod})
	}
	out := make([]plan.Placement, 0, len(pods))
	for _, at := range p.placer.Place(p.s, wanted, after) {
		out = append(out, plan.Placement{Room: plan.Room(at.Fit), Message: at.Message})
	}
	return out
}
