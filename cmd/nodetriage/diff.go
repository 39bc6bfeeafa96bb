package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/triage"
)

const diffHelp = `Compare two snapshots, or a snapshot with the live cluster. The output lists
new, resolved and unchanged causes. It also lists changes of the nodes:
conditions, cordons, reboots, versions, image, labels, taints, kubelet settings,
DaemonSet images, pods.

BEFORE and AFTER are bundles, folders, kubectl output, or reports of diagnose -o
json. With a report, only causes are compared, not changes of the nodes. Without
AFTER, BEFORE is compared with the cluster of the current context.

A cause that is only in BEFORE is "resolved" if AFTER contains the data that
would show the cause (such as the logs of the node), or a fact that rules the
cause out. Otherwise the cause is "not seen again": it may still exist.

Exit codes reflect only new causes:

  0  no new cause
  1  internal error
  2  bad usage or unreadable input
  3  new cause
  4  new warnings only
  5  AFTER does not have enough evidence`

func newDiff() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var nodes []string
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "diff BEFORE [AFTER]",
		Short: "Compare two snapshots, or a snapshot with the live cluster",
		Long:  diffHelp,
		Example: `  nodetriage collect -o monday.tar.gz
  nodetriage diff monday.tar.gz                     # what changed since
  nodetriage diff monday.tar.gz tuesday.tar.gz --node worker-3
  nodetriage diff before.json after.json            # reports of diagnose -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 || len(src.files) > 0 {
				return hintf("nodetriage diff BEFORE [AFTER]", "diff: one or two snapshots are required")
			}
			from, err := src.from(cmd, &out, &know)
			if err != nil {
				return err
			}
			opt := ask.DiffOptions{Before: side(src, cmd, args[0]), Nodes: nodeNames(nodes)}
			if len(args) > 1 {
				opt.After = side(src, cmd, args[1])
			}
			d, err := ask.Diff(cmd.Context(), from, opt)
			if err != nil {
				return err
			}
			if err := changeForms.write(cmd.OutOrStdout(), &out, d); err != nil {
				return err
			}
			return verdictCode(d.Verdict)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), changeForms.names()...)
	cmd.Flags().StringSliceVar(&nodes, "node", nil, "`NODE` Compare only this node. Repeatable.")
	src.register(cmd.Flags())
	_ = cmd.Flags().MarkHidden("filename") // BEFORE and AFTER are arguments; the flag was registered above
	return cmd
}

// side is one side of a comparison: a report, or evidence to judge.
func side(src *sourceFlags, cmd *cobra.Command, path string) ask.Side {
	if r := savedReport(path); r != nil {
		return ask.Side{Report: r}
	}
	return ask.Side{Source: src.source(cmd, path)}
}

// savedReport reads the output of diagnose -o json; nil if the file is something else.
func savedReport(path string) *triage.Report {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // a pipe can be read only once
	}
	data, err := readFile(path, maxReport)
	if err != nil || len(data) == 0 || data[0] != '{' {
		return nil
	}
	var r triage.Report
	if err := bounds.JSON(data, &r); err != nil || r.Kind != "Report" {
		return nil
	}
	r.NameCertainty()
	return &r
}
