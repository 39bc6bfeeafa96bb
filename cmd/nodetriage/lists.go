package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/inventory"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

const podsHelp = `Show all pods of the cluster, by what keeps them from running: refused by the
scheduler, images that cannot be pulled, containers that crash, finalizers,
nodes that do not answer. Each with since when, its node, what kubelet and
scheduler say, and who has to act; those that run come last. Pods that ended
well are left out.

Exit codes: 0 all run, 4 some do not, 5 the evidence has no pods.`

const budgetsHelp = `Show all disruption budgets: what each wants, how many of its pods are
healthy, how many may be evicted now, and the nodes whose drain it holds. Odd
ones come first: budgets that select nothing, that never let a pod go, that
share a pod with another, or that their controller cannot compute.

Exit codes: 0 none is odd, 4 some are, 5 the evidence has no budgets.`

const daemonSetsHelp = `Show all DaemonSets: on how many nodes each is wanted, there and ready, and on
which nodes it is missing, not ready, or left behind by a taint that came
later. Nodes are chosen as the DaemonSet controller does.

Exit codes: 0 none is odd, 4 some are, 5 the evidence has no DaemonSets.`

func newPods() *cobra.Command {
	l := newLister(podList)
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "pods", "Show the pods, and what keeps those that do not run", podsHelp
	l.cmd.Example = `  nodetriage pods --not-running             # all that do not run
  nodetriage pods --node worker-3           # all of one node
  nodetriage pods -n shop --sort-by since   # those of a namespace, the oldest first
  nodetriage pods -f bundle.tar.gz -o wide`
	l.cmd.Flags().BoolVar(&l.by.Odd, "not-running", false, "only those that do not run, or are not ready")
	l.register("since, name, namespace, node or restarts")
	return l.cmd
}

func newBudgets() *cobra.Command {
	l := newLister(budgetList)
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "budgets", "Show all disruption budgets, and the drains that they hold", budgetsHelp
	l.cmd.Example = `  nodetriage budgets                        # all, odd ones first
  nodetriage budgets --node worker-3        # those that a drain of the node asks
  nodetriage budgets --odd -o json`
	l.register("namespace, name, allowed, pods or holds")
	l.cmd.Flags().BoolVar(&l.by.Odd, "odd", false, "only those with something odd")
	return l.cmd
}

func newDaemonSets() *cobra.Command {
	l := newLister(daemonSetList)
	l.cmd.Use, l.cmd.Short, l.cmd.Long = "daemonsets", "Show all DaemonSets, and the nodes that lack them", daemonSetsHelp
	l.cmd.Example = `  nodetriage daemonsets                     # all, odd ones first
  nodetriage daemonsets --node worker-3     # those not well on the node
  nodetriage daemonsets -n kube-system -o wide`
	l.register("namespace, name, desired or missing")
	l.cmd.Flags().BoolVar(&l.by.Odd, "odd", false, "only those with something odd")
	return l.cmd
}

var (
	podList = listing[*inventory.Pods]{
		inventory.NewPods, func(p *inventory.Pods) inventory.Head { return p.Head }, report.Pods, report.PodsMarkdown,
	}
	budgetList = listing[*inventory.Budgets]{
		inventory.NewBudgets, func(b *inventory.Budgets) inventory.Head { return b.Head }, report.Budgets, report.BudgetsMarkdown,
	}
	daemonSetList = listing[*inventory.DaemonSets]{
		inventory.NewDaemonSets, func(d *inventory.DaemonSets) inventory.Head { return d.Head }, report.DaemonSets, report.DaemonSetsMarkdown,
	}
)

// listing is how one list is made and written.
type listing[T any] struct {
	make     func(*evidence.Snapshot, time.Time, inventory.Filter, string) (T, error)
	head     func(T) inventory.Head
	text     func(io.Writer, T, report.Style) error
	markdown func(io.Writer, T) error
}

// lister is a command that shows a list.
type lister struct {
	cmd   *cobra.Command
	src   *sourceFlags
	out   outputFlags
	by    inventory.Filter
	order string
}

func newLister[T any](of listing[T]) *lister {
	l := &lister{src: newSourceFlags()}
	var know knowledgeFlags // no cause is named here: what messages mean is not read
	l.cmd = &cobra.Command{
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := l.src.read(&l.out, &know, func(k *knowledge) (*evidence.Snapshot, error) { return l.src.snapshot(cmd, nil, k) })
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("namespace") {
				l.by.Namespace = *l.src.cluster.Namespace
			}
			if l.by.Node != "" && in.snapshot.Covers(evidence.Nodes) != evidence.NotRead && in.snapshot.Node(l.by.Node) == nil {
				return usagef("show node %s: %s", l.by.Node, noSuchNode(in.snapshot, l.by.Node))
			}
			result, err := of.make(in.snapshot, in.at, l.by, l.order)
			if err != nil {
				return &usageError{err}
			}
			if err := write(cmd.OutOrStdout(), &l.out, result, of.text, form{"markdown", func(w io.Writer) error { return of.markdown(w, result) }}); err != nil {
				return err
			}
			return exitFor(of.head(result).Verdict, map[triage.Verdict]exitCode{triage.Warn: exitWarnings, triage.Unclear: exitUnclear})
		},
	}
	return l
}

func (l *lister) register(columns string) {
	l.out.register(l.cmd.Flags(), "wide", "json", "yaml", "markdown")
	l.cmd.Flags().StringVar(&l.by.Node, "node", "", "only what concerns this `NODE`")
	l.cmd.Flags().StringVar(&l.order, "sort-by", "", "order by this `COLUMN`: "+columns)
	l.src.register(l.cmd.Flags())
}
