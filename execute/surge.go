package execute

import (
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// surge is a workload with a single replica that gets a second one before the first is evicted.
type surge struct {
	drain.Surge
	evicted bool // the first replica is terminating
}

func (s *surge) key() string { return s.Namespace + "/" + s.Name }

// grow adds one replica to the workload and records the previous number in its mark.
func (d *drainer) grow(ctx context.Context, s *surge) error {
	return again(ctx, func() error {
		w, err := kube.Get(ctx, d.opt.Reader, kube.Deployments, s.Namespace, s.Name)
		if err != nil {
			return fmt.Errorf("surge deployment %s: %w", s.key(), err)
		}
		if m := evidence.ReadMark(w.Annotations, evidence.MarkSurge); m != nil && m.Run == d.run {
			return nil
		}
		if replicas(w) != 1 {
			d.log("surge", "Deployment", s.key(), Skipped, fmt.Sprintf("it now has %d replicas", replicas(w)))
			return nil
		}
		m, err := d.mark(1)
		if err != nil {
			return err
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: w.ResourceVersion},
			{Op: "replace", Path: "/spec/replicas", Value: evidence.Surged},
			annotate(w.Annotations, evidence.MarkSurge, m.String()),
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.Deployments, s.Namespace, s.Name, steps); err != nil {
			return fmt.Errorf("surge deployment %s: %w", s.key(), err)
		}
		d.log("surge", "Deployment", s.key(), Done, "2 replicas")
		if !d.opt.DryRun {
			holds(d.marker, kube.Deployments, s.Namespace, s.Name, evidence.MarkSurge)
		}
		return nil
	})
}

// grown reports whether the second replica is ready, or what is missing.
func (d *drainer) grown(ctx context.Context, s *surge) (bool, string) {
	w, err := kube.Get(ctx, d.opt.Reader, kube.Deployments, s.Namespace, s.Name)
	if err != nil {
		return false, err.Error()
	}
	if w.Status.ObservedGeneration >= w.Generation && w.Status.ReadyReplicas >= 2 {
		return true, ""
	}
	return false, fmt.Sprintf("deployment %s has %d ready replicas; a second one is started first", s.key(), w.Status.ReadyReplicas)
}

// shrink removes the extra replica if the workload has a mark that mine accepts. It keeps a replica count that another
// user set since, even if it is the same.
func (d *marker) shrink(ctx context.Context, namespace, name string, mine func(*evidence.Mark) bool) error {
	key := namespace + "/" + name
	return again(ctx, func() error {
		w, err := kube.Get(ctx, d.opt.Reader, kube.Deployments, namespace, name)
		if kube.ReasonOf(err) == kube.NotFound {
			return nil
		}
		if err != nil {
			return fmt.Errorf("scale deployment %s back: %w", key, err)
		}
		m := evidence.ReadMark(w.Annotations, evidence.MarkSurge)
		if m == nil || !mine(m) {
			return nil
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: w.ResourceVersion},
			{Op: "remove", Path: annotation(evidence.MarkSurge)},
		}
		why := fmt.Sprintf("someone else set %d replicas; this is kept", replicas(w))
		var before int32
		if !evidence.Rescaled(w) && json.Unmarshal(m.Before, &before) == nil {
			steps = append(steps, kube.Operation{Op: "replace", Path: "/spec/replicas", Value: before})
			why = fmt.Sprintf("%d replicas", before)
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.Deployments, namespace, name, steps); err != nil {
			return fmt.Errorf("scale deployment %s back: %w", key, err)
		}
		d.log("scale back", "Deployment", key, Done, why)
		return nil
	})
}

func replicas(w *appsv1.Deployment) int32 {
	if w.Spec.Replicas == nil {
		return 1
	}
	return *w.Spec.Replicas
}
