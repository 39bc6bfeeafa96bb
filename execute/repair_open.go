package execute

import (
	"context"
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Open uncordons a node after a successful repair: if a drain of nodetriage cordoned it, or always if requested. The
// text is the reason why nothing was done.
func Open(ctx context.Context, reader *kube.Reader, writer *kube.Writer, name string, whoever bool) (opened bool, why string, err error) {
	err = again(ctx, func() error {
		n, err := kube.Get(ctx, reader, kube.Nodes, "", name)
		if err != nil {
			return fmt.Errorf("uncordon node %s: %w", name, err)
		}
		m := evidence.ReadMark(n.Annotations, evidence.MarkCordon)
		switch {
		case !n.Spec.Unschedulable:
			why = "it is not cordoned"
			return nil
		case !whoever && evidence.DrainCordon(n) == nil:
			why = "cordoned by someone else, who has to uncordon it; --uncordon uncordons it anyway"
			return nil
		}
		steps := []kube.Operation{
			{Op: "test", Path: "/metadata/resourceVersion", Value: n.ResourceVersion},
			{Op: "remove", Path: "/spec/unschedulable"},
		}
		if m != nil {
			steps = append(steps, kube.Operation{Op: "remove", Path: annotation(evidence.MarkCordon)})
		}
		if _, err := kube.Patch(ctx, writer, kube.Nodes, "", name, steps); err != nil {
			return fmt.Errorf("uncordon node %s: %w", name, err)
		}
		opened, why = true, ""
		return nil
	})
	return opened, why, err
}
