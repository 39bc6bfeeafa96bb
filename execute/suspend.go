package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// A suspended PodDisruptionBudget selects no pod. That works for every reason why a budget refuses evictions, also for one
// that cannot be computed and for several on one pod, and at once: no controller has to see it first. The selector is the
// only field of the budget that a drain writes.
var nothing = metav1.LabelSelector{MatchLabels: map[string]string{evidence.MarkSuspend: "true"}}

// suspend makes a budget select no pod for a while. The annotation that holds its former spec is written in the same step.
func (d *marker) suspend(ctx context.Context, key string) error {
	namespace, name, _ := strings.Cut(key, "/")
	return again(ctx, func() error {
		b, err := kube.Get(ctx, d.opt.Reader, kube.PDBs, namespace, name)
		if err != nil {
			return fmt.Errorf("suspend budget %s: %w", key, err)
		}
		before := b.Spec
		if evidence.SuspendedSpec(&b.Spec) {
			old := evidence.ReadMark(b.Annotations, evidence.MarkSuspend)
			switch {
			case old != nil && old.Run == d.run:
				return nil // the answer to the patch was lost
			case old != nil && d.alive(old):
				d.log("suspend", "PodDisruptionBudget", key, Skipped, fmt.Sprintf("the drain of %s, which is running, suspended it and will restore it", old.Who()))
				return nil
			}
			if before, _, err = original(b, old); err != nil { // of a drain that died
				return fmt.Errorf("suspend budget %s: %w", key, err)
			}
		}
		m, err := d.mark(before)
		if err != nil {
			return fmt.Errorf("suspend budget %s: %w", key, err)
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

// restorePDB puts the selector of a budget back if it carries a mark that mine accepts. What its owner changed since the
// suspension stays and is reported.
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
		spec, changed, err := original(b, m)
		if err != nil {
			return fmt.Errorf("restore budget %s: %w", key, err)
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: b.ResourceVersion},
			{Op: "remove", Path: annotation(evidence.MarkSuspend)},
		}
		switch {
		case !evidence.SuspendedSpec(&b.Spec):
		case spec.Selector == nil:
			steps = append(steps, kube.Operation{Op: "remove", Path: "/spec/selector"})
		default:
			steps = append(steps, kube.Operation{Op: "replace", Path: "/spec/selector", Value: spec.Selector})
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.PDBs, namespace, name, steps); err != nil {
			return fmt.Errorf("restore budget %s: %w", key, err)
		}
		d.log("restore", "PodDisruptionBudget", key, Done, keptByOwner(changed))
		return nil
	})
}

// original is the spec of a suspended budget without the suspension, by three states of it: before, as the drain wrote it, and
// now. A field that still is as the drain wrote it is what it was before; one that its owner changed since is what it is now.
func original(b *policyv1.PodDisruptionBudget, m *evidence.Mark) (policyv1.PodDisruptionBudgetSpec, []string, error) {
	now := *b.Spec.DeepCopy()
	var before policyv1.PodDisruptionBudgetSpec
	known := m != nil && json.Unmarshal(m.Before, &before) == nil && !evidence.SuspendedSpec(&before)
	switch {
	case known:
	case evidence.SuspendedSpec(&now):
		return now, nil, fmt.Errorf("annotation %s does not hold its former spec; apply the budget again from its source", evidence.MarkSuspend)
	default:
		return now, nil, nil // the owner gave it a selector, and nothing is left to put back
	}
	written := *before.DeepCopy()
	written.Selector = nothing.DeepCopy()
	changed := differences(written, now)
	if evidence.SuspendedSpec(&now) {
		now.Selector = unsuspended(before.Selector, now.Selector)
	}
	return now, changed, nil
}

// unsuspended is a selector without the label of the suspension. Labels and expressions that its owner added beside that
// label, as a merge patch does, stay; all else is as before.
func unsuspended(before, now *metav1.LabelSelector) *metav1.LabelSelector {
	added := now.DeepCopy()
	delete(added.MatchLabels, evidence.MarkSuspend)
	if before == nil && len(added.MatchLabels)+len(added.MatchExpressions) == 0 {
		return nil // it had none
	}
	out := &metav1.LabelSelector{}
	if before != nil {
		before.DeepCopyInto(out)
	}
	if out.MatchLabels == nil {
		out.MatchLabels = map[string]string{}
	}
	maps.Copy(out.MatchLabels, added.MatchLabels)
	if len(added.MatchExpressions) > 0 {
		out.MatchExpressions = added.MatchExpressions
	}
	return out
}
