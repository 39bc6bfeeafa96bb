//go:build unix

package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// scaled scales all Deployments and StatefulSets; the new pods run on the remaining nodes.
func scaled(n int32) act {
	return func(ctx context.Context, s *stage) error {
		if err := s.cordon(ctx, s.down, true); err != nil {
			return err
		}
		want := 0
		for _, l := range s.Loads {
			patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n)
			var err error
			switch l.Kind {
			case deployment:
				_, err = s.client.AppsV1().Deployments(s.Name).Patch(ctx, l.Name, types.MergePatchType, patch, metav1.PatchOptions{})
			case statefulSet:
				_, err = s.client.AppsV1().StatefulSets(s.Name).Patch(ctx, l.Name, types.MergePatchType, patch, metav1.PatchOptions{})
			default:
				continue
			}
			if err != nil {
				return fmt.Errorf("scale %s: %w", l.Name, err)
			}
			want += int(n)
		}
		err := await(ctx, time.Minute, fmt.Sprintf("%d pods of %s", want, s.Name), func() bool {
			ready := 0
			for _, p := range s.plane.recorder.in(s.Name) {
				if scales(p.owner) && p.isReady() {
					ready++
				}
			}
			return ready == want
		})
		if err != nil {
			return err
		}
		for _, p := range s.plane.recorder.in(s.Name) {
			s.first[p.uid] = true
		}
		return s.cordon(ctx, s.down, false)
	}
}

func scales(owner string) bool {
	return strings.HasPrefix(owner, "ReplicaSet/") || strings.HasPrefix(owner, "StatefulSet/")
}

// workloads compares the remaining pods of the controllers: the number of pods on other nodes, and whether there is a
// time without a ready pod.
func (j *judge) workloads() {
	for _, f := range j.forecast.Workloads {
		if f.Kind == "Job" {
			continue
		}
		elsewhere := 0
		for _, p := range j.stage.before {
			if p.of(f.Kind, f.Name) && p.isReady() && !j.goesDown(p.node) {
				elsewhere++
			}
		}
		if elsewhere != f.Elsewhere {
			j.wrong("%s %s: predicted %d pods elsewhere, there were %d", f.Kind, f.Name, f.Elsewhere, elsewhere)
		}
		if outage := j.outage(f.Kind, f.Name); outage != f.Outage {
			j.wrong("%s %s: predicted an outage: %v, seen: %v", f.Kind, f.Name, f.Outage, outage)
		}
	}
}

// of reports whether the pod belongs to the workload.
func (l *podLog) of(kind, name string) bool {
	switch kind {
	case "Deployment": // through a ReplicaSet, whose name ends with a hash
		i := strings.LastIndexByte(l.owner, '-')
		return i > 0 && l.owner[:i] == "ReplicaSet/"+name
	}
	return l.owner == kind+"/"+name
}

// outage reports whether no pod of the workload was ready at some time since the event.
func (j *judge) outage(kind, name string) bool {
	times := []time.Time{}
	var pods []podLog
	for _, p := range j.plane.recorder.in(j.stage.Name) {
		if !p.of(kind, name) {
			continue
		}
		pods = append(pods, p)
		for _, c := range p.ready {
			times = append(times, c.at.to)
		}
		for _, at := range []*moment{p.deleted, p.gone} {
			if at != nil {
				times = append(times, at.to)
			}
		}
	}
	return slices.ContainsFunc(times, func(at time.Time) bool {
		return at.After(j.base) && !slices.ContainsFunc(pods, func(p podLog) bool { return p.readyAt(at) })
	})
}

// readyAt reports whether the pod was ready at a time, and not about to be deleted.
func (l *podLog) readyAt(at time.Time) bool {
	if l.deleted != nil && !l.deleted.to.After(at) || l.gone != nil && !l.gone.to.After(at) {
		return false
	}
	ready := false
	for _, c := range l.ready {
		if !c.at.to.After(at) {
			ready = c.to == string(corev1.ConditionTrue)
		}
	}
	return ready
}
