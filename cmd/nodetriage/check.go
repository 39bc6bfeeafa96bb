package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/ask"
)

const checkHelp = `Find risks before maintenance: problems that a drain, an upgrade or the loss of
a node would cause. The findings are sorted by risk, each with its fix. -o wide
shows all objects of a finding, and the checks that passed. Examples of risks:

  - PodDisruptionBudgets that overlap or never allow an eviction
  - pods that no controller recreates, workloads on a single node
  - nodes and zones that must not fail, because their pods do not fit on the
    other nodes
  - preStop hooks longer than the grace period, local volumes
  - expiring certificates, version skew

With --pool, check also simulates the upgrade of that node pool, like nodetriage
upgrade. It reports the nodes where the upgrade gets stuck, the pods that stay
Pending, and the pods that are deleted for good.

The verdict is FINDINGS, CLEAR or UNKNOWN. CLEAR means that nodes, pods and
PodDisruptionBudgets were read and that no check found a risk. The output lists
checks that were not possible.

You can suppress known risks until a date, with --exceptions or an annotation.
"nodetriage diagnose --help" shows both formats. In the field "cause", write the
ID of the check, such as budget-never. The output shows the IDs.

Exit codes:

  0  CLEAR, or FINDINGS with low risks only
  1  internal error
  2  bad usage or unreadable input
  3  high risk found
  4  medium risk found
  5  not enough evidence`

// reviewCode returns the exit code of a review: the severity of the findings, or that too little was read to rule them out.
func reviewCode(r *check.Review) error {
	switch {
	case r.Worst() == check.High:
		return exitProblem
	case r.Worst() == check.Medium:
		return exitWarnings
	case r.Verdict == check.Unknown:
		return exitUnclear
	}
	return nil
}

func newCheck() *cobra.Command {
	var out outputFlags
	var pools []string
	var quiet quietFlags
	src := newSourceFlags()
	src.long = true
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find risks before maintenance",
		Long:  checkHelp,
		Example: `  nodetriage check                          # the cluster of the current context
  nodetriage check --pool np1               # before the upgrade of a pool
  nodetriage check -f bundle.tar.gz
  nodetriage check -o junit > check.xml     # for a pipeline`,
		Args: between(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := src.from(cmd, &out, &knowledgeFlags{})
			if err != nil {
				return err
			}
			opt := ask.CheckOptions{Pools: pools}
			if opt.Exceptions, err = quiet.read(from.Knowledge); err != nil {
				return err
			}
			r, err := ask.Check(cmd.Context(), from, opt)
			if err != nil {
				return err
			}
			if err := reviewForms.write(cmd.OutOrStdout(), &out, r); err != nil {
				return err
			}
			return reviewCode(r)
		},
	}
	cmd.Flags().StringSliceVar(&pools, "pool", nil, "`POOL` Also check the upgrade of this node pool. Repeatable.")
	out.register(cmd.Flags(), reviewForms.names()...)
	src.register(cmd.Flags())
	src.hide.register(cmd.Flags())
	quiet.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	return cmd
}
