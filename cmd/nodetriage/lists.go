package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
)

const podsHelp = `Show all pods of the cluster, by what keeps them from running: refused by the
scheduler, images that cannot be pulled, containers that crash, finalizers,
nodes that do not answer. Each with since when, its node, what kubelet and
scheduler say, and who has to act; those that run come last. Pods that ended
well are left out.

Exit codes: 0 all run, 4 some do not, 5 the evidence has no pods,
or what the list rests on was read in part.`

const budgetsHelp = `Show all disruption budgets: what each wants, how many of its pods are
healthy, how many may be evicted now, and the nodes whose drain it holds. Odd
ones come first: budgets that select nothing, that never let a pod go, that
share a pod with another, or that their controller cannot compute.

Exit codes: 0 none is odd, 4 some are, 5 the evidence has no
budgets, or what the list rests on was read in part.`

const daemonSetsHelp = `Show all DaemonSets: on how many nodes each is wanted, there and ready, and on
which nodes it is missing, not ready, or left behind by a taint that came
later. Nodes are chosen as the DaemonSet controller does.

Exit codes: 0 none is odd, 4 some are, 5 the evidence has no
DaemonSets, or what the list rests on was read in part.`

func newPods() *cobra.Command {
	var opt ask.PodsOptions
	l := newLister(podList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Pods, error) {
		return ask.Pods(ctx, from, opt)
	})
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "pods", "Show the pods, and what keeps those that do not run", podsHelp
	l.cmd.Example = `  nodetriage pods --not-running             # all that do not run
  nodetriage pods --node worker-3           # all of one node
  nodetriage pods -n shop --sort-by since   # those of a namespace, the oldest first
  nodetriage pods -l app=web                # those with a label
  nodetriage pods -f bundle.tar.gz -o wide`
	l.cmd.Flags().BoolVar(&opt.Odd, "not-running", false, "only those that do not run, or are not ready")
	l.cmd.Flags().StringVarP(&opt.Selector, "selector", "l", "", "only those with these `LABELS`, as app=web or tier!=cache")
	l.cmd.Flags().StringVar(&opt.FieldSelector, "field-selector", "", "only those with these `FIELDS`, as status.phase=Pending or spec.nodeName!=worker-3")
	l.register("since, name, namespace, node or restarts")
	l.namespaced()
	return l.cmd
}

func newBudgets() *cobra.Command {
	var opt ask.ListOptions
	l := newLister(budgetList, &opt, func(ctx context.Context, from ask.From) (*lists.Budgets, error) {
		return ask.Budgets(ctx, from, opt)
	})
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "budgets", "Show all disruption budgets, and the drains that they hold", budgetsHelp
	l.cmd.Example = `  nodetriage budgets                        # all, odd ones first
  nodetriage budgets --node worker-3        # those that a drain of the node asks
  nodetriage budgets --odd -o json`
	l.register("namespace, name, allowed, pods or holds")
	l.namespaced()
	l.cmd.Flags().BoolVar(&opt.Odd, "odd", false, "only those with something odd")
	return l.cmd
}

func newDaemonSets() *cobra.Command {
	var opt ask.ListOptions
	l := newLister(daemonSetList, &opt, func(ctx context.Context, from ask.From) (*lists.DaemonSets, error) {
		return ask.DaemonSets(ctx, from, opt)
	})
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "daemonsets", "Show all DaemonSets, and the nodes that lack them", daemonSetsHelp
	l.cmd.Example = `  nodetriage daemonsets                     # all, odd ones first
  nodetriage daemonsets --node worker-3     # those not well on the node
  nodetriage daemonsets -n kube-system -o wide`
	l.register("namespace, name, desired or missing")
	l.namespaced()
	l.cmd.Flags().BoolVar(&opt.Odd, "odd", false, "only those with something odd")
	return l.cmd
}

var (
	podList = listing[*lists.Pods]{
		func(p *lists.Pods) lists.Head { return p.Head }, report.Pods, report.PodsMarkdown, report.PodsHTML,
		report.Rows{Path: "{.groups[*].pods[*]}", Resource: "pod"},
	}
	budgetList = listing[*lists.Budgets]{
		func(b *lists.Budgets) lists.Head { return b.Head }, report.Budgets, report.BudgetsMarkdown, report.BudgetsHTML,
		report.Rows{Path: "{.budgets[*]}", Resource: "poddisruptionbudget.policy"},
	}
	daemonSetList = listing[*lists.DaemonSets]{
		func(d *lists.DaemonSets) lists.Head { return d.Head }, report.DaemonSets, report.DaemonSetsMarkdown, report.DaemonSetsHTML,
		report.Rows{Path: "{.daemonSets[*]}", Resource: "daemonset.apps"},
	}
)
