package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
)

const poolsHelp = `List node pools. The columns are ready nodes, VM count, autoscaler limits,
state, version, VM size and mode. -o wide adds zones, power state, priority,
surge, image, taints and labels.

FREE is allocatable minus the requests of the pods (CPU / memory / pods /
devices), for all nodes that are Ready and not cordoned. ONLY HERE is the number
of pods that can run only in this pool: if the pool were removed, they would
stay Pending (simulated with the code of the scheduler). Pods that are Pending
now are not counted.

Pools with problems come first. Problems are failed operations, different node
counts in Kubernetes and the cloud, unhealthy nodes, and nodes with different
versions.

Pools are read from the cloud if credentials are available, or from the saved
output of the cloud's CLI. Otherwise the list is based on nodes and their
labels.

Exit codes:

  0  no problems
  1  internal error
  2  bad usage or unreadable input
  4  problems
  5  the evidence has neither nodes nor pools`

const operationsHelp = `List cloud operations from the activity log, one row per request: time, caller,
result, and the most specific error message. A row combines all log entries of
the request. The output starts with the state of the cluster and of each pool.
Then come the failed operations, then the other operations, both with the newest
first. On a live cluster, the last 24 hours of the log are read (see --since).

Exit codes:

  0  no operation failed
  1  internal error
  2  bad usage or unreadable input
  4  at least one operation failed
  5  the evidence has no cloud operations`

func newPools() *cobra.Command {
	var opt ask.PoolsOptions
	l := newLister(poolList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Pools, error) {
		return ask.Pools(ctx, from, opt)
	})
	l.cmd.Aliases = []string{"pool", "nodepools", "nodepool"}
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "pools", "List node pools, and how many pods can run only there", poolsHelp
	l.cmd.Example = `  nodetriage pools                          # all, problems first
  nodetriage pools --pool np1               # one pool in detail
  nodetriage pools --sort-by pending        # the highest ONLY HERE first
  nodetriage pools -f nodes.yaml -f pools.json`
	l.cmd.Flags().StringVar(&opt.Pool, "pool", "", "`POOL` Show only this node pool, in detail.")
	registerProblems(l.cmd.Flags(), &opt.Odd, "Show only node pools with problems.")
	l.register("name, nodes, size, version, state, unhealthy or pending", "Show only the node pool of this node.")
	l.src.cloud.register(l.cmd.Flags())
	return l.cmd
}

func newOperations() *cobra.Command {
	var opt ask.OperationsOptions
	l := newLister(operationList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Operations, error) {
		return ask.Operations(ctx, from, opt)
	})
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "operations", "List recent cloud operations and their results", operationsHelp
	l.cmd.Example = `  nodetriage operations                     # failed ones first, then the others
  nodetriage operations --status failed --since 6h
  nodetriage operations --since 72h --until 48h   # 72 to 48 hours ago
  nodetriage operations --caller alice@example.com -o wide
  nodetriage operations -f activity-log.json`
	l.cmd.Flags().StringVar(&opt.Pool, "pool", "", "`POOL` Show only operations on this node pool.")
	l.cmd.Flags().StringVar(&opt.Status, "status", "", "`STATUS` Show only operations with this status, such as failed or succeeded.")
	l.cmd.Flags().StringVar(&opt.Caller, "caller", "", "`TEXT` Show only operations of callers that contain this text.")
	l.cmd.Flags().DurationVar(&opt.Since, "since", 0, "`DURATION` Show only operations of the last DURATION, such as 6h. On a live cluster: default 24h, maximum 2160h.")
	l.cmd.Flags().DurationVar(&opt.Until, "until", 0, "`DURATION` Show only operations that started at least this long ago.")
	registerProblems(l.cmd.Flags(), &opt.Odd, "Show only operations that failed or did not finish.")
	l.register("time, status, caller, operation or resource", "Show only operations on this node.")
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
