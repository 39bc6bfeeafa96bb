package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/report"
)

const checkHelp = `Look for what will make trouble when nodes go, before they do: budgets that never
let a pod go, several budgets on one pod, pods that nobody makes again or that
never leave a dead node, workloads on one node, nodes and zones whose pods would
fit nowhere else, hooks longer than the grace period, volumes on one node,
certificates that expire, versions too far apart. The worst comes first, each with
its fix. It only reads.

Exit codes: 0 nothing grave, 1 the tool failed, 2 bad usage or unreadable input,
3 something of high harm was found, 4 of medium harm, 5 not enough evidence to
judge.`

func newCheck() *cobra.Command {
	var out outputFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find what will make trouble, before it does",
		Long:  checkHelp,
		Example: `  nodetriage check                          # the cluster of the current context
  nodetriage check -f bundle.tar.gz
  nodetriage check -o junit > check.xml     # for a pipeline`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			at, err := src.time()
			if err != nil {
				return err
			}
			var know knowledgeFlags
			k, err := know.load()
			if err != nil {
				return err
			}
			s, err := src.snapshot(cmd, nil, k)
			if err != nil {
				return err
			}
			r := plan.NewReview(s, at, &drainPlacer{s: s})
			if err := writeReview(cmd.OutOrStdout(), &out, r); err != nil {
				return err
			}
			return verdictCode(r.Verdict)
		},
	}
	out.register(cmd.Flags(), "wide", "json", "yaml", "junit")
	src.register(cmd.Flags())
	return cmd
}

func writeReview(w io.Writer, out *outputFlags, r *plan.Review) error {
	switch out.format {
	case "json":
		return report.JSON(w, r)
	case "yaml":
		return report.YAML(w, r)
	case "junit":
		return report.ReviewJUnit(w, r)
	case "", "wide":
		return report.Review(w, r, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}
