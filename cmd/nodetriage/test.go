package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
)

const testHelp = `Diagnose recorded cases, and compare each result with the confirmed cause. A
case is a folder with the evidence (evidence/) and the confirmed cause
(truth.yaml), or the same content in one *.txtar file (a text archive). Cases
can be anywhere below PATH. Save the incidents of your clusters as cases. The
test then shows whether an update of nodetriage still finds each cause.

Exit codes:

  0  all cases passed
  2  a case cannot be read
  3  a case failed`

func newTest() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var verbose bool
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "Diagnose recorded cases and compare with their confirmed causes",
		Long:  testHelp,
		Example: `  nodetriage test cases/
  nodetriage test --catalog ours/ ours/cases/ -v`,
		Args: between(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			k, err := know.load()
			if err != nil {
				return err
			}
			var recorded []cases.Case
			for _, arg := range args {
				found, err := cases.Find(arg)
				if err != nil {
					return badUsage(err)
				}
				recorded = append(recorded, found...)
			}
			if len(recorded) == 0 {
				return hintf("a case is a *.txtar file, or a folder with truth.yaml and evidence/", "no cases found in %s", strings.Join(args, ", "))
			}
			run := report.NewCaseRun(k.Origins)
			for _, c := range recorded {
				snapshot, err := snapshotOf(c, k)
				if err != nil {
					return badUsage(fmt.Errorf("read case %s: %w", c.Name, err))
				}
				answer := k.Judge(snapshot, time.Time{})
				run.Add(c.Name, c.Truth.Class, c.Judge(answer), answer)
			}
			if verbose && out.format == "" {
				out.format = "wide"
			}
			if err := testForms.write(cmd.OutOrStdout(), &out, run); err != nil {
				return err
			}
			if run.Failed > 0 {
				return exitProblem
			}
			return nil
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), testForms.names()...)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "Also list passing cases. Same as -o wide.")
	return cmd
}

// snapshotOf reads the evidence of a case. It returns an error for a case that passes with any report: no evidence can be read,
// or an id is not in the catalog.
func snapshotOf(c cases.Case, k *ask.Knowledge) (*evidence.Snapshot, error) {
	if id := c.Truth.UnknownID(func(id string) bool { return k.Catalog.Cause(id) != nil || k.Catalog.Symptom(id) != nil }); id != "" {
		return nil, fmt.Errorf("truth.yaml: %s is not a cause or symptom of the catalog: see nodetriage explain --list", id)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "case", Name: c.Name}, k.Signatures)
	if err := b.AddFS(c.Evidence); err != nil {
		return nil, err
	}
	s := b.Snapshot()
	return s, b.Unreadable()
}
