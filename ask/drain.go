package ask

import (
	"context"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// DrainOptions are the options of Drain.
type DrainOptions struct {
	// Nodes are the nodes to drain. PodDisruptionBudgets apply to all of them together.
	Nodes []string
	// Selector chooses the nodes by labels instead, as kubectl does: pool=blue. Empty: Nodes are drained.
	Selector string
	// Accept are the kinds of blockers whose risk is accepted.
	Accept []drain.Kind
	// Suspend names PodDisruptionBudgets, as namespace/name or name, that are suspended during the drain.
	Suspend []string
	// Surge starts a second replica before the only replica of a Deployment is evicted.
	Surge bool
	// Archive returns the file for the archive that the agent on a node saved at that time. It is fetched before the drain. If
	// nil, agents are not contacted.
	Archive func(node string, at time.Time) string
}

// Drain plans the drain of nodes. It changes nothing.
func Drain(ctx context.Context, from From, opt DrainOptions) (*drain.Plan, error) {
	for _, a := range opt.Accept {
		if !slices.Contains(drain.Consents, a) {
			return nil, hintf(wording.OneOf(string(a), drain.Consents), "invalid value %q for --accept", a)
		}
	}
	nodes := distinct(opt.Nodes)
	n := need{room: nodes}
	if opt.Selector != "" {
		n = need{} // the nodes are unknown until all were read
	}
	l, err := from.look(ctx, n)
	if err != nil {
		return nil, err
	}
	if opt.Selector != "" {
		if nodes, err = selectNodes(l.snapshot, opt.Selector, ""); err != nil {
			return nil, err
		}
	}
	for _, n := range nodes {
		if l.snapshot.Node(n) == nil {
			return nil, noNode(l.snapshot, n)
		}
	}
	d, err := placed(ctx, l, func(s *evidence.Snapshot, board placement.Open) (*drain.Plan, error) {
		d, err := drain.New(s, drain.Options{Nodes: nodes, Now: from.At, Accept: opt.Accept, Suspend: opt.Suspend, Surge: opt.Surge, Board: board})
		if err != nil {
			return nil, refused(s, err)
		}
		return d, nil
	})
	if err != nil {
		return nil, err
	}
	d.Saved, err = l.saved(ctx, nodes, opt.Archive)
	return d, err
}
