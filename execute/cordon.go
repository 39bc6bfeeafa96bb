package execute

import (
	"context"
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// cordon cordons and marks the node in one patch. It leaves a cordon of another user unchanged and adopts the cordon of
// a drain that was killed.
func (d *drainer) cordon(ctx context.Context, name string) error {
	return again(ctx, func() error {
		n, err := kube.Get(ctx, d.opt.Reader, kube.Nodes, "", name)
		if err != nil {
			return fmt.Errorf("cordon node %s: %w", name, err)
		}
		old := evidence.DrainCordon(n)
		switch {
		case !n.Spec.Unschedulable:
		case old == nil:
			d.log("cordon", "Node", name, Skipped, "already cordoned, not by nodetriage drain; the cordon is kept")
			return nil
		case old.Run == d.run:
			return nil // the patch succeeded but its answer was lost
		case d.alive(old):
			d.log("cordon", "Node", name, Skipped, fmt.Sprintf("cordoned by a running drain by %s; the cordon is kept", old.Who()))
			return nil
		}
		m, err := d.mark(nil)
		if err != nil {
			return err
		}
		m.State = evidence.Draining
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
			why = fmt.Sprintf("taken over from an interrupted drain by %s", old.Who())
		}
		d.log("cordon", "Node", name, Done, why)
		if !d.opt.DryRun {
			holds(d.marker, kube.Nodes, "", name, evidence.MarkCordon)
		}
		return nil
	})
}

// endCordon ends the cordon of this drain. With open it uncordons the node; otherwise the mark records that the drain
// ended. A later cordon by another user stays and loses the mark.
func (d *drainer) endCordon(ctx context.Context, name string, open bool) error {
	return again(ctx, func() error {
		n, err := kube.Get(ctx, d.opt.Reader, kube.Nodes, "", name)
		if err != nil {
			return fmt.Errorf("uncordon node %s: %w", name, err)
		}
		m := evidence.ReadMark(n.Annotations, evidence.MarkCordon)
		if m == nil || m.Run != d.run {
			return nil
		}
		steps := []kube.Operation{{Op: "test", Path: "/metadata/resourceVersion", Value: n.ResourceVersion}}
		unmark := kube.Operation{Op: "remove", Path: annotation(evidence.MarkCordon)}
		foreign := evidence.DrainCordon(n) == nil
		switch {
		case foreign:
			steps = append(steps, unmark)
		case open:
			steps = append(steps, unmark, kube.Operation{Op: "remove", Path: "/spec/unschedulable"})
		default:
			m.State, m.Renewed = evidence.Ended, d.now()
			steps = append(steps, annotate(n.Annotations, evidence.MarkCordon, m.String()))
		}
		if _, err := kube.Patch(ctx, d.opt.Writer, kube.Nodes, "", name, steps); err != nil {
			return fmt.Errorf("uncordon node %s: %w", name, err)
		}
		switch {
		case foreign && n.Spec.Unschedulable:
			d.log("uncordon", "Node", name, Skipped, "cordoned again by someone else; that cordon is kept")
		case !foreign && open:
			d.log("uncordon", "Node", name, Done, "")
		}
		return nil
	})
}

// reopened returns a node that became schedulable during the drain, or "".
func (d *drainer) reopened(ctx context.Context) string {
	for _, name := range d.plan.Nodes {
		n, err := kube.Get(ctx, d.opt.Reader, kube.Nodes, "", name)
		if err == nil && !n.Spec.Unschedulable {
			return name
		}
	}
	return ""
}
