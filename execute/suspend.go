package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// A suspended budget selects nothing. That works for every reason why a budget is in the way, also for one that
// cannot be computed and for several on one pod, and at once: no controller has to see it first.
var nothing = metav1.LabelSelector{MatchLabels: map[string]string{evidence.MarkSuspend: "true"}}

func suspended(b *policyv1.PodDisruptionBudget) bool {
	return b.Spec.Selector != nil && b.Spec.Selector.MatchLabels[evidence.MarkSuspend] != ""
}

// suspend makes a budget hold nothing for a while; what it was is written beside it in the same step.
func (d *marker) suspend(ctx context.Context, key string) error {
	namespace, name, _ := strings.Cut(key, "/")
	return again(ctx, func() error {
		b, err := kube.Get(ctx, d.opt.Reader, kube.PDBs, namespace, name)
		if err != nil {
			return fmt.Errorf("suspend budget %s: %w", key, err)
		}
		m, err := d.mark(b.Spec)
		if err != nil {
			return fmt.Errorf("suspend budget %s: %w", key, err)
		}
		if old := evidence.ReadMark(b.Annotations, evidence.MarkSuspend); old != nil && suspended(b) {
			if old.Run == d.run {
				return nil // an answer was lost
			}
			if d.alive(old) {
				d.log("suspend", "PodDisruptionBudget", key, Skipped, fmt.Sprintf("the drain of %s, which is running, suspended it and will restore it", old.By))
				return nil
			}
			m.Before = old.Before // of a drain that died
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: b.ResourceVersion},
			annotate(b.Annotations, evidence.MarkSuspend, m.String()),
			{Op: "add", Path: "/spec/selector", Value: nothing},
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.PDBs, namespace, name, steps); err != nil {
			return fmt.Errorf("suspend budget %s: %w", key, err)
		}
		d.log("suspend", "PodDisruptionBudget", key, Done, "its own spec is kept in annotation "+evidence.MarkSuspend)
		if !d.opt.DryRun {
			holds(d, kube.PDBs, namespace, name, evidence.MarkSuspend)
		}
		return nil
	})
}

// restorePDB puts a budget back if it carries a mark that mine accepts. One that its owner changed in the
// meantime only loses the mark.
func (d *marker) restorePDB(ctx context.Context, namespace, name string, mine func(*evidence.Mark) bool) error {
	key := namespace + "/" + name
	return again(ctx, func() error {
		b, err := kube.Get(ctx, d.opt.Reader, kube.PDBs, namespace, name)
		if kube.ReasonOf(err) == kube.NotFound {
			return nil
		}
		if err != nil {
			return fmt.Errorf("restore budget %s: %w", key, err)
		}
		m := evidence.ReadMark(b.Annotations, evidence.MarkSuspend)
		if m == nil || !mine(m) {
			return nil
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: b.ResourceVersion},
			{Op: "remove", Path: annotation(evidence.MarkSuspend)},
		}
		why := "its owner changed it in the meantime"
		if suspended(b) {
			if !json.Valid(m.Before) {
				return fmt.Errorf("restore budget %s: annotation %s does not hold the original; apply it again from its source", key, evidence.MarkSuspend)
			}
			steps = append(steps, kube.Operation{Op: "replace", Path: "/spec", Value: m.Before})
			why = ""
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.PDBs, namespace, name, steps); err != nil {
			return fmt.Errorf("restore budget %s: %w", key, err)
		}
		d.log("restore", "PodDisruptionBudget", key, Done, why)
		return nil
	})
}
