package check

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// budgetSuspended finds PodDisruptionBudgets that a drain suspended and did not restore.
func (r *reviewer) budgetSuspended() {
	for _, b := range r.s.Data().PDBs {
		m, yes := b.Suspended()
		switch {
		case yes && m == nil:
			r.add(subjectOf(b), "suspended, and the annotation with its original spec is missing: apply it again from its source")
		case yes && r.dead(m):
			r.add(subjectOf(b), r.since(m), "nodetriage drain --restore")
		}
	}
}

// surgeLeft finds Deployments that still have the additional replica of a drain.
func (r *reviewer) surgeLeft() {
	for _, w := range r.s.Data().Workloads {
		if m := w.Surged(); m != nil && r.dead(m) {
			r.add(w.Subject(), r.since(m), "nodetriage drain --restore")
		}
	}
}

// drainUnfinished finds nodes that an unfinished drain cordoned.
func (r *reviewer) drainUnfinished() {
	for _, n := range r.s.Data().Nodes {
		if n.Node == nil {
			continue
		}
		if m := evidence.DrainCordon(n.Node); m != nil && m.State == evidence.Draining && r.dead(m) {
			r.add(n.Subject(), r.since(m), shell.Format("nodetriage drain {node}", n.Name), shell.Format("kubectl uncordon {node}", n.Name))
		}
	}
}

// dead reports whether the drain that wrote the annotation no longer renews it.
func (r *reviewer) dead(m *evidence.Mark) bool { return !r.Now.IsZero() && !m.Alive(r.Now) }

func (r *reviewer) since(m *evidence.Mark) string {
	return fmt.Sprintf("by a drain by %s at %s, last active %s ago", m.Who(), m.At.UTC().Format("2006-01-02 15:04Z"), wording.Duration(r.Now.Sub(m.Renewed)))
}
