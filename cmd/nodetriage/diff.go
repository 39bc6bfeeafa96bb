package main

import (
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/bounds"
	"github.com/nodetriage/nodetriage/changes"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/rules"
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
			if err := out.check(); err != nil {
				return err
			}
			k, err := know.load()
			if err != nil {
				return err
			}
			before, err := src.look(cmd, k, args[:1], nodes)
			if err != nil {
				return err
			}
			after, err := src.look(cmd, k, args[1:], nodes)
			if err != nil {
				return err
			}
			if a, b := before.Report.TakenAt, after.Report.TakenAt; a != nil && b != nil && b.Before(*a) {
				return usagef("diff: %s is of %s, and %s of %s: name the earlier look first", report.Clean(before.Report.Source), a.UTC().Format(time.RFC3339), report.Clean(after.Report.Source), b.UTC().Format(time.RFC3339))
			}
			d := changes.Compare(before, after, rules.All().Rules, nodes)
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

// look is one side of a comparison: a report, evidence to judge, or, without a path, the cluster.
func (f *sourceFlags) look(cmd *cobra.Command, k *knowledge, paths, nodes []string) (changes.Side, error) {
	if len(paths) == 0 {
		s, err := f.live(cmd.Context(), nodes, k, about(nodes))
		if err != nil {
			return changes.Side{}, err
		}
		return changes.Side{Report: k.judge(s, s.TakenAt(), nodes...), Snapshot: s}, nil
	}
	if r := savedReport(paths[0]); r != nil {
		return changes.Side{Report: r}, nil
	}
	s, err := f.offline(cmd, paths, nil, k)
	if err != nil {
		return changes.Side{}, err
	}
	at, err := f.time()
	if err != nil {
		return changes.Side{}, err
	}
	asked := slices.DeleteFunc(slices.Clone(nodes), func(name string) bool { return s.Node(name) == nil })
	return changes.Side{Report: k.judge(s, at, asked...), Snapshot: s}, nil
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
	return &r
}
