package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

// PoolsOptions are the options of Pools.
type PoolsOptions struct {
	ListOptions
	// Pool selects one node pool and shows all details; empty means all pools.
	Pool string
}

// Pools lists node pools and what the removal of each would cost.
func Pools(ctx context.Context, from From, opt PoolsOptions) (*lists.Pools, error) {
	by := lists.Filter{Pool: opt.Pool}
	return list(ctx, from, need{cloud: true}, opt.ListOptions, by, func(l *look, by lists.Filter, order string) (*lists.Pools, error) {
		return lists.NewPools(l.snapshot, l.At, lists.PoolOptions{
			Report: l.Knowledge.Judge(l.snapshot, l.At), Board: scheduler.New, Ask: asking(l.snapshot.Nodes()),
		}, by, order)
	})
}
