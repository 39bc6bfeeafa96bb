package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
)

const poolsHelp = `Show all node pools: mode, size, count and bounds, version, state, and how many
of their nodes are ready; with -o wide also zones, power, priority, surge,
image, taints and labels. PENDING is what the removal of a pool would cost: how
many of its pods would find no other node, by the scheduler's own code.
Odd ones come first, each with the reason: failed changes, counts that differ,
sick nodes and what was found on them, nodes of another version.

What the cloud tells of pools is asked for where its credentials are there, or
read from what its tool printed. Without it the list is made of the nodes and
their labels, and says so.

Exit codes: 0 none is odd, 4 some are, 5 there are neither nodes nor pools.`

const operationsHelp = `Show what was done in the cloud, from its activity log: one line for each
request with all that it set off, when, by whom, how it ended, and of a failure
the innermost message. Above stand the states of the cluster and its pools as
the cloud gives them. Failures come first, then the newest. On a live cluster
the log of the last 24 hours is read, or of --since; what the cloud's tool printed
may be older.

Exit codes: 0 none failed, 4 some did, 5 the evidence has no operations.`

func newPools() *cobra.Command {
	var opt ask.PoolsOptions
	l := newLister(poolList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Pools, error) {
		return ask.Pools(ctx, from, opt)
	})
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "pools", "Show all node pools, and what their removal would cost", poolsHelp
	l.cmd.Example = `  nodetriage pools                          # all, odd ones first
  nodetriage pools --pool np1               # one with all that is known of it
  nodetriage pools --sort-by pending        # whose removal costs most
  nodetriage pools -f nodes.yaml -f pools.json`
	l.cmd.Flags().StringVar(&opt.Pool, "pool", "", "only this `POOL`, with all that is known of it")
	l.cmd.Flags().BoolVar(&opt.Odd, "odd", false, "only those with something odd")
	l.register("name, nodes, size, version, state, sick or pending")
	l.src.cloud.register(l.cmd.Flags())
	return l.cmd
}

func newOperations() *cobra.Command {
	var opt ask.OperationsOptions
	l := newLister(operationList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Operations, error) {
		return ask.Operations(ctx, from, opt)
	})
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "operations", "Show what was done in the cloud, and how it ended", operationsHelp
	l.cmd.Example = `  nodetriage operations                     # failures first, then the newest
  nodetriage operations --status failed --since 6h
  nodetriage operations --since 72h --until 48h   # of the day before yesterday
  nodetriage operations --caller alice@example.com -o wide
  nodetriage operations -f activity-log.json`
	l.cmd.Flags().StringVar(&opt.Pool, "pool", "", "only what concerns this `POOL`")
	l.cmd.Flags().StringVar(&opt.Status, "status", "", "only those that ended so, in the cloud's `WORD`: failed, succeeded, ...")
	l.cmd.Flags().StringVar(&opt.Caller, "caller", "", "only those of callers whose name holds this `TEXT`")
	l.cmd.Flags().DurationVar(&opt.Since, "since", 0, "only those of the last `TIME`, like 6h; a live log is read as far back, 2160h at most")
	l.cmd.Flags().DurationVar(&opt.Until, "until", 0, "only those that began at least this `TIME` ago")
	l.cmd.Flags().BoolVar(&opt.Odd, "odd", false, "only those that failed, or did not end")
	l.register("time, status, caller, operation or resource")
	l.src.cloud.register(l.cmd.Flags())
	return l.cmd
}

var (
	poolList = listing[*lists.Pools]{
		func(p *lists.Pools) lists.Head { return p.Head }, report.Pools, report.PoolsMarkdown, report.PoolsHTML,
		report.Rows{Path: "{.pools[*]}"},
	}
	operationList = listing[*lists.Operations]{
		func(o *lists.Operations) lists.Head { return o.Head }, report.Operations, report.OperationsMarkdown, report.OperationsHTML,
		report.Rows{Path: "{.operations[*]}"},
	}
)
