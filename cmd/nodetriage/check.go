package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/ask"
)

const checkHelp = `Find what will cause trouble when nodes are drained, upgraded or lost, before it
happens: budgets that never allow an eviction, several budgets on one pod, pods
that no controller recreates or that never leave a dead node, workloads on one
node, nodes and zones whose pods would fit nowhere else, hooks longer than the
grace period, volumes on one node, certificates that expire, versions too far
apart. The worst comes first, each with its fix. It only reads.

With --pool it also simulates the upgrade of that pool, as nodetriage upgrade does:
nodes at which it gets stuck, pods that stay Pending while nodes are replaced, and
pods that are lost.

It answers FINDINGS, CLEAR (nodes, pods and budgets were read and no check found
anything) or UNKNOWN; what could not be checked is listed.

What is known and accepted can be left out until a day, by --exceptions or by an
annotation, as nodetriage diagnose --help shows; cause is then the id of a check.

Exit codes: 0 nothing serious, 1 the tool failed, 2 bad usage or unreadable input,
3 something of high harm was found, 4 of medium harm, 5 not enough evidence to
judge.`

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
		Short: "Find what will cause trouble, before it does",
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
	cmd.Flags().StringSliceVar(&pools, "pool", nil, "also check the upgrade of this `POOL` (repeatable)")
	out.register(cmd.Flags(), reviewForms.names()...)
	src.register(cmd.Flags())
	src.hide.register(cmd.Flags())
	quiet.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	return cmd
}
