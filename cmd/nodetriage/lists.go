package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
)

const podsHelp = `List pods, grouped by the reason why they are not running: rejected by the
scheduler, images that cannot be pulled, crashing containers, finalizers,
unreachable nodes. The list shows the age, the node, the messages of the kubelet
and the scheduler, and who needs to act (such as the owner of the workload).
Running pods come last. Completed pods are omitted.

Exit codes:

  0  all pods are running and ready
  1  internal error
  2  bad usage or unreadable input
  4  some pods are not running or not ready
  5  the evidence has no pods or is incomplete`

const budgetsHelp = `List PodDisruptionBudgets: the limit, the healthy pods, the evictions that are
allowed now, and the nodes whose drain would be blocked now (BLOCKS).

PodDisruptionBudgets with problems come first: those that match no pods, never
allow an eviction, overlap with another PodDisruptionBudget, or have a status
that the disruption controller cannot compute.

Exit codes:

  0  no problems
  1  internal error
  2  bad usage or unreadable input
  4  problems
  5  PodDisruptionBudgets were not read, or only in part`

const daemonSetsHelp = `List DaemonSets: how many nodes should run a pod, and how many pods are ready.
The list also names the nodes where the pod is missing or not ready, or where it
still runs although it does not tolerate a taint of the node. To decide which
nodes should run a pod, nodetriage uses the rules of the DaemonSet controller.

Exit codes:

  0  no problems
  1  internal error
  2  bad usage or unreadable input
  4  problems
  5  DaemonSets were not read, or only in part`

func newPods() *cobra.Command {
	var opt ask.PodsOptions
	l := newLister(podList, &opt.ListOptions, func(ctx context.Context, from ask.From) (*lists.Pods, error) {
		return ask.Pods(ctx, from, opt)
	})
	l.cmd.Aliases = []string{"pod", "po"}
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "pods", "List pods and what prevents them from running", podsHelp
	l.cmd.Example = `  nodetriage pods --not-running             # only pods with problems
  nodetriage pods --node worker-3           # the pods of one node
  nodetriage pods -n shop --sort-by since   # one namespace; longest in their current state first
  nodetriage pods -l app=web                # pods with this label
  nodetriage pods -f bundle.tar.gz -o wide`
	l.cmd.Flags().BoolVar(&opt.Odd, "not-running", false, "Show only pods that are not running or not ready.")
	l.cmd.Flags().StringVarP(&opt.Selector, "selector", "l", "", "`LABELS` Filter by labels, such as app=web,tier!=cache.")
	l.cmd.Flags().StringVar(&opt.FieldSelector, "field-selector", "", "`FIELDS` Filter by fields, such as status.phase=Pending,spec.nodeName!=worker-3.")
	l.register("since, name, namespace, node or restarts", "Show only pods on this node.")
	l.namespaced()
	return l.cmd
}

func newBudgets() *cobra.Command {
	var opt ask.ListOptions
	l := newLister(budgetList, &opt, func(ctx context.Context, from ask.From) (*lists.Budgets, error) {
		return ask.Budgets(ctx, from, opt)
	})
	l.cmd.Aliases = []string{"pdbs", "pdb", "poddisruptionbudgets", "poddisruptionbudget"}
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "budgets", "List PodDisruptionBudgets and the drains they block", budgetsHelp
	l.cmd.Example = `  nodetriage budgets                        # all, problems first
  nodetriage budgets --node worker-3        # those that affect a drain of the node
  nodetriage budgets --problems -o json`
	l.register("namespace, name, allowed, pods or blocks", "Show only PodDisruptionBudgets that affect a drain of this node.")
	l.namespaced()
	registerProblems(l.cmd.Flags(), &opt.Odd, "Show only PodDisruptionBudgets with problems.")
	return l.cmd
}

func newDaemonSets() *cobra.Command {
	var opt ask.ListOptions
	l := newLister(daemonSetList, &opt, func(ctx context.Context, from ask.From) (*lists.DaemonSets, error) {
		return ask.DaemonSets(ctx, from, opt)
	})
	l.cmd.Aliases = []string{"daemonset", "ds"}
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "daemonsets", "List DaemonSets and the nodes where pods are missing", daemonSetsHelp
	l.cmd.Example = `  nodetriage daemonsets                     # all, problems first
  nodetriage daemonsets --node worker-3     # DaemonSets with problems on the node
  nodetriage daemonsets -n kube-system -o wide`
	l.register("namespace, name, desired or missing", "Show only DaemonSets with problems on this node.")
	l.namespaced()
	registerProblems(l.cmd.Flags(), &opt.Odd, "Show only DaemonSets with problems.")
	return l.cmd
}

var (
	podList = listing[*lists.Pods]{
		func(p *lists.Pods) lists.Head { return p.Head }, report.Pods, report.PodsMarkdown, report.PodsHTML,
		"pod", func(l *lists.Pods) any { return l.Listed() },
	}
	budgetList = listing[*lists.Budgets]{
		func(b *lists.Budgets) lists.Head { return b.Head }, report.Budgets, report.BudgetsMarkdown, report.BudgetsHTML,
		"poddisruptionbudget.policy", func(l *lists.Budgets) any { return l.Listed() },
	}
	daemonSetList = listing[*lists.DaemonSets]{
		func(d *lists.DaemonSets) lists.Head { return d.Head }, report.DaemonSets, report.DaemonSetsMarkdown, report.DaemonSetsHTML,
		"daemonset.apps", func(l *lists.DaemonSets) any { return l.Listed() },
	}
)
