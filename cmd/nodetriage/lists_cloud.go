package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
)

const poolsHelp = `List node pools: ready nodes, VM count and autoscaler limits, state, version,
size and mode; with -o wide also zones, power, priority, surge, image, taints
and labels. FREE is allocatable minus the requests of the pods (CPU / memory /
pods / devices), added up over the nodes that are Ready and not cordoned.
PENDING: pods that could not be scheduled without the pool, according to the
code of the scheduler. Pools with problems come first: failed operations, node
count mismatches, unhealthy nodes and their causes, different versions.

Pools are read from the cloud if credentials are available, or from the saved
output of the cloud's CLI. Otherwise the list is based on nodes and their
labels.

Exit codes: 0 no problems, 4 problems, 5 the evidence has neither nodes nor
pools.`

const operationsHelp = `List cloud operations from the activity log, one row per request with all its
steps: time, caller, result, and the innermost error message. The states of the
cluster and its pools come first. Failed operations come before the others, the
newest first. On a live cluster, the last 24 hours of the log are read (see
--since).

Exit codes: 0 none failed, 4 some failed, 5 the evidence has no cloud
operations.`

func newPools() *cobra.Command {
	var opt ask.PoolsOptions
	l := newLister(poolList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Pools, error) {
		return ask.Pools(ctx, from, opt)
	})
	l.cmd.Aliases = []string{"pool", "nodepool", "nodepools"}
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "pools", "List node pools, and the pods that need each of them", poolsHelp
	l.cmd.Example = `  nodetriage pools                          # all, those with problems first
  nodetriage pools --pool np1               # details of one pool
  nodetriage pools --sort-by pending        # most Pending pods without it first
  nodetriage pools -f nodes.yaml -f pools.json`
	l.cmd.Flags().StringVar(&opt.Pool, "pool", "", "Show details of this `POOL`")
	l.cmd.Flags().BoolVar(&opt.Odd, "odd", false, "Only rows with problems")
	l.register("name, nodes, size, version, state, sick or pending")
	l.src.cloud.register(l.cmd.Flags())
	return l.cmd
}

func newOperations() *cobra.Command {
	var opt ask.OperationsOptions
	l := newLister(operationList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Operations, error) {
		return ask.Operations(ctx, from, opt)
	})
	l.cmd.Aliases = []string{"operation"}
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "operations", "List recent cloud operations and their results", operationsHelp
	l.cmd.Example = `  nodetriage operations                     # failed ones first, then the newest
  nodetriage operations --status failed --since 6h
  nodetriage operations --since 72h --until 48h   # the day before yesterday
  nodetriage operations --caller alice@example.com -o wide
  nodetriage operations -f activity-log.json`
	l.cmd.Flags().StringVar(&opt.Pool, "pool", "", "Only operations on this `POOL`")
	l.cmd.Flags().StringVar(&opt.Status, "status", "", "Filter by `STATUS` in the term of the cloud: failed, succeeded, ...")
	l.cmd.Flags().StringVar(&opt.Caller, "caller", "", "Filter by caller (`SUBSTRING`)")
	l.cmd.Flags().DurationVar(&opt.Since, "since", 0, "Only operations of the last `TIME`, like 6h (at most 2160h); sets how far back a live log is read")
	l.cmd.Flags().DurationVar(&opt.Until, "until", 0, "Only operations that started at least this `TIME` ago")
	l.cmd.Flags().BoolVar(&opt.Odd, "odd", false, "Only operations that failed or did not finish")
	l.register("time, status, caller, operation or resource")
	l.src.cloud.register(l.cmd.Flags())
	return l.cmd
}

var (
	poolList = listing[*lists.Pools]{
		func(p *lists.Pools) lists.Head { return p.Head }, report.Pools, report.PoolsMarkdown, report.PoolsHTML,
		"nodepool", func(l *lists.Pools) any { return l.Listed() },
	}
	operationList = listing[*lists.Operations]{
		func(o *lists.Operations) lists.Head { return o.Head }, report.Operations, report.OperationsMarkdown, report.OperationsHTML,
		"cloudoperation", func(l *lists.Operations) any { return l.Listed() },
	}
)
