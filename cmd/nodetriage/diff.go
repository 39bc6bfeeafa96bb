package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/triage"
)

const diffHelp = `Show what changed between two looks: which causes came, went and stayed, and what
changed on the nodes meanwhile: conditions, cordons, reboots, versions, image,
labels, taints, settings of the kubelet, images of DaemonSets, pods.

BEFORE and AFTER are bundles, folders, kubectl output, or reports of diagnose
-o json, which tell of causes alone. Without AFTER the cluster of the current
context is the later look. A cause is gone where a fact rules it out, or where the
same rules looked at the same sort of evidence again; else it is "not seen again".

Exit codes are about what came, whatever stayed: 0 nothing came, 1 the tool failed, 2 bad usage or unreadable input,
3 a cause came, 4 what came are warnings, 5 the later look cannot judge.`

func newDiff() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var nodes []string
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "diff BEFORE [AFTER]",
		Short: "Show what changed between two looks, or since one",
		Long:  diffHelp,
		Example: `  nodetriage collect -o monday.tar.gz
  nodetriage diff monday.tar.gz                     # what changed since
  nodetriage diff monday.tar.gz tuesday.tar.gz --node worker-3
  nodetriage diff before.json after.json            # reports of diagnose -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 || len(src.files) > 0 {
				return usagef("diff: name the earlier look, and the later one if it is not the cluster; %s --help shows how", cmd.CommandPath())
			}
			from, err := src.from(cmd, &out, &know)
			if err != nil {
				return err
			}
			opt := ask.DiffOptions{Before: side(src, cmd, args[0]), Nodes: nodes}
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
	cmd.Flags().StringSliceVar(&nodes, "node", nil, "compare these `NODES` alone (repeatable)")
	src.register(cmd.Flags())
	return cmd
}

// side is one side of a comparison: a report, or evidence to judge.
func side(src *sourceFlags, cmd *cobra.Command, path string) ask.Side {
	if r := savedReport(path); r != nil {
		return ask.Side{Report: r}
	}
	return ask.Side{Source: src.source(cmd, path)}
}

// savedReport reads what diagnose -o json wrote; nil: the file is something else.
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
