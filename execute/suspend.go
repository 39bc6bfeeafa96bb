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

// A suspended PodDisruptionBudget selects no pod. That removes every reason for a rejection, including an uncomputed
// status and several PodDisruptionBudgets on one pod. It is effective at once, without a controller. The selector is
// the only field of the PodDisruptionBudget that a drain writes.
var nothing = metav1.LabelSelector{MatchLabels: map[string]string{evidence.MarkSuspend: "true"}}

// suspend makes a PodDisruptionBudget select no pod. The same patch writes the annotation with the previous spec.
func (d *marker) suspend(ctx context.Context, key string) error {
	namespace, name, _ := strings.Cut(key, "/")
	return again(ctx, func() error {
		b, err := kube.Get(ctx, d.opt.Reader, kube.PDBs, namespace, name)
		if err != nil {
			return fmt.Errorf("suspend PodDisruptionBudget %s: %w", key, err)
		}
		before := b.Spec
		if evidence.SuspendedSpec(&b.Spec) {
			old := evidence.ReadMark(b.Annotations, evidence.MarkSuspend)
			switch {
			case old != nil && old.Run == d.run:
				return nil // the answer to the patch was lost
			case old != nil && d.alive(old):
				d.log("suspend", "PodDisruptionBudget", key, Skipped, fmt.Sprintf("suspended by a running drain by %s, which will restore it", old.Who()))
				return nil
			}
			if before, _, err = original(b, old); err != nil { // from a killed drain
				return fmt.Errorf("suspend PodDisruptionBudget %s: %w", key, err)
			}
		}
		m, err := d.mark(before)
		if err != nil {
			return fmt.Errorf("suspend PodDisruptionBudget %s: %w", key, err)
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: b.ResourceVersion},
			annotate(b.Annotations, evidence.MarkSuspend, m.String()),
			{Op: "add", Path: "/spec/selector", Value: nothing},
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.PDBs, namespace, name, steps); err != nil {
			return fmt.Errorf("suspend PodDisruptionBudget %s: %w", key, err)
		}
		d.log("suspend", "PodDisruptionBudget", key, Done, "its original spec is in annotation "+evidence.MarkSuspend)
		if !d.opt.DryRun {
			holds(d, kube.PDBs, namespace, name, evidence.MarkSuspend)
		}
		return nil
	})
}

// restorePDB restores the selector of a PodDisruptionBudget with a mark that mine accepts. Changes of the owner since
// the suspension stay and are reported.
func (d *marker) restorePDB(ctx context.Context, namespace, name string, mine func(*evidence.Mark) bool) error {
	key := namespace + "/" + name
	return again(ctx, func() error {
		b, err := kube.Get(ctx, d.opt.Reader, kube.PDBs, namespace, name)
		if kube.ReasonOf(err) == kube.NotFound {
			return nil
		}
		if err != nil {
			return fmt.Errorf("restore PodDisruptionBudget %s: %w", key, err)
		}
		m := evidence.ReadMark(b.Annotations, evidence.MarkSuspend)
		if m == nil || !mine(m) {
			return nil
		}
		spec, changed, err := original(b, m)
		if err != nil {
			return fmt.Errorf("restore PodDisruptionBudget %s: %w", key, err)
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
			return fmt.Errorf("restore PodDisruptionBudget %s: %w", key, err)
		}
		d.log("restore", "PodDisruptionBudget", key, Done, keptByOwner(changed))
		return nil
	})
}

// original returns the spec of a suspended PodDisruptionBudget without the suspension, from three states: before, as
// written by the drain, and now. A field that is as written gets its previous value. A field that the owner changed
// keeps its current value.
func original(b *policyv1.PodDisruptionBudget, m *evidence.Mark) (policyv1.PodDisruptionBudgetSpec, []string, error) {
	now := *b.Spec.DeepCopy()
	var before policyv1.PodDisruptionBudgetSpec
	known := m != nil && json.Unmarshal(m.Before, &before) == nil && !evidence.SuspendedSpec(&before)
	switch {
	case known:
	case evidence.SuspendedSpec(&now):
		return now, nil, fmt.Errorf("annotation %s does not contain its original spec; apply the PodDisruptionBudget again from its source", evidence.MarkSuspend)
	default:
		return now, nil, nil // the owner set a selector, so there is nothing to restore
	}
	written := *before.DeepCopy()
	written.Selector = nothing.DeepCopy()
	changed := differences(written, now)
	if evidence.SuspendedSpec(&now) {
		now.Selector = unsuspended(before.Selector, now.Selector)
	}
	return now, changed, nil
}

// unsuspended returns a selector without the suspension label. Labels and expressions that the owner added with a merge
// patch stay; all else is as before.
func unsuspended(before, now *metav1.LabelSelector) *metav1.LabelSelector {
	added := now.DeepCopy()
	delete(added.MatchLabels, evidence.MarkSuspend)
	if before == nil && len(added.MatchLabels)+len(added.MatchExpressions) == 0 {
		return nil // there was no selector
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
