package execute

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// cordon closes the node and marks it, in one step. A cordon of somebody else is left as it is; that of a drain
// that died is taken over.
func (d *drainer) cordon(ctx context.Context, name string) error {
	return again(ctx, func() error {
		n, err := kube.Get(ctx, d.opt.Reader, kube.Nodes, "", name)
		if err != nil {
			return fmt.Errorf("cordon node %s: %w", name, err)
		}
		old := evidence.ReadMark(n.Annotations, evidence.MarkCordon)
		switch {
		case !n.Spec.Unschedulable:
		case old == nil || recordoned(n, old):
			d.log("cordon", "Node", name, Skipped, "it is already cordoned, not by a drain of nodetriage; that cordon stays")
			return nil
		case old.Run == d.run:
			return nil // an answer was lost
		case d.alive(old):
			d.log("cordon", "Node", name, Skipped, fmt.Sprintf("the drain of %s, which is running, cordoned it; that cordon stays", old.By))
			return nil
		}
		m, err := d.mark(nil)
		if err != nil {
			return err
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: n.ResourceVersion},
			{Op: "add", Path: "/spec/unschedulable", Value: true},
			annotate(n.Annotations, evidence.MarkCordon, m.String()),
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.Nodes, "", name, steps); err != nil {
			return fmt.Errorf("cordon node %s: %w", name, err)
		}
		why := ""
		if n.Spec.Unschedulable {
			why = fmt.Sprintf("taken over from a drain of %s that was killed", old.By)
		}
		d.log("cordon", "Node", name, Done, why)
		if !d.opt.DryRun {
			holds(d.marker, kube.Nodes, "", name, evidence.MarkCordon)
		}
		return nil
	})
}

// recordoned reports whether somebody opened the node since it was marked and closed it again: the taint of a
// cordon is as old as the cordon.
func recordoned(n *corev1.Node, m *evidence.Mark) bool {
	for _, t := range n.Spec.Taints {
		if t.Key == corev1.TaintNodeUnschedulable && t.TimeAdded != nil {
			return t.TimeAdded.Sub(m.Renewed) > time.Minute
		}
	}
	return false
}

// uncordon opens the node again if this drain closed it.
func (d *drainer) uncordon(ctx context.Context, name string) error {
	return again(ctx, func() error {
		n, err := kube.Get(ctx, d.opt.Reader, kube.Nodes, "", name)
		if err != nil {
			return fmt.Errorf("uncordon node %s: %w", name, err)
		}
		m := evidence.ReadMark(n.Annotations, evidence.MarkCordon)
		if !n.Spec.Unschedulable || m == nil || m.Run != d.run {
			return nil
		}
		_, err = kube.Patch(ctx, d.opt.Writer, kube.Nodes, "", name, []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: n.ResourceVersion},
			{Op: "remove", Path: "/spec/unschedulable"}, {Op: "remove", Path: annotation(evidence.MarkCordon)},
		})
		if err != nil {
			return fmt.Errorf("uncordon node %s: %w", name, err)
		}
		d.log("uncordon", "Node", name, Done, "")
		return nil
	})
}

// reopened returns a node that takes pods again although it is being drained, or "".
func (d *drainer) reopened(ctx context.Context) string {
	for _, name := range d.plan.Nodes {
		n, err := kube.Get(ctx, d.opt.Reader, kube.Nodes, "", name)
		if err == nil && !n.Spec.Unschedulable {
			return name
		}
	}
	return ""
}
