package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

func newDiagnose() *cobra.Command {
	var know knowledgeFlags
	var output string
	cmd := &cobra.Command{
		Use:   "diagnose [NODE...] [PATH...|-]",
		Short: "Find out why nodes do not work",
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := know.load()
			if err != nil {
				return err
			}
			b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: args[0]}, k.signatures)
			if err := b.AddFS(os.DirFS(args[0])); err != nil {
				return err
			}
			r := k.judge(b.Snapshot())
			if output == "json" {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(r)
			}
			for _, f := range r.Findings {
				fmt.Fprintf(cmd.OutOrStdout(), "%s %.2f %s: %s\n", f.Cause, f.Score, f.Subject, f.Summary)
			}
			return verdictCode(r)
		},
	}
	know.register(cmd.Flags())
	cmd.Flags().StringVarP(&output, "output", "o", "", "output format")
	return cmd
}

func verdictCode(r *triage.Report) error {
	switch r.Verdict {
	case triage.Broken:
		return exitProblem
	case triage.Warn:
		return exitWarnings
	case triage.Unclear:
		return exitUnclear
	}
	return nil
}
