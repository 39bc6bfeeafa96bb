package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/testcase"
)

const testHelp = `Run recorded cases: evidence with the cause that was confirmed. A case is a *.txtar
file or a folder with truth.yaml and evidence/, anywhere below PATH. Keep the
incidents of your own clusters as cases, and you see when an update misses one.

Exit codes: 0 all passed, 3 a case failed, 2 a case cannot be read.`

func newTest() *cobra.Command {
	var know knowledgeFlags
	var verbose bool
	cmd := &cobra.Command{
		Use:   "test PATH...",
		Short: "Run recorded cases: evidence with its expected cause",
		Long:  testHelp,
		Example: `  nodetriage test cases/
  nodetriage test --catalog ours/ ours/cases/ -v`,
		Args: between(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			k, err := know.load()
			if err != nil {
				return err
			}
			var cases []testcase.Case
			for _, arg := range args {
				found, err := testcase.Find(arg)
				if err != nil {
					return &usageError{err}
				}
				cases = append(cases, found...)
			}
			if len(cases) == 0 {
				return usagef("read cases: no *.txtar and no folder with truth.yaml below %s", strings.Join(args, ", "))
			}
			failed := 0
			for _, c := range cases {
				snapshot, err := snapshotOf(c, k)
				if err != nil {
					return &usageError{fmt.Errorf("read case %s: %w", c.Name, err)}
				}
				report := k.judge(snapshot, time.Time{})
				if problem := c.Judge(report); problem != "" {
					failed++
					fmt.Fprintf(cmd.OutOrStdout(), "FAIL %s: %s\n", c.Name, problem)
				} else if verbose {
					fmt.Fprintf(cmd.OutOrStdout(), "ok   %s\n", c.Name)
				}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d passed, %d failed\n", len(cases)-failed, failed)
			if failed > 0 {
				return exitProblem
			}
			return nil
		},
	}
	know.register(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "name the cases that pass too")
	return cmd
}

// snapshotOf reads the evidence of a case. A case that could pass whatever the program says is an error: one of
// which nothing can be read, or that names what no catalogue has.
func snapshotOf(c testcase.Case, k *knowledge) (*evidence.Snapshot, error) {
	if id := c.Truth.UnknownID(func(id string) bool { return k.catalog.Cause(id) != nil || k.catalog.Symptom(id) != nil }); id != "" {
		return nil, fmt.Errorf("truth.yaml: %s is not a cause or symptom of the catalogue: see nodetriage explain --list", id)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "case", Name: c.Name}, k.signatures)
	if err := b.AddFS(c.Evidence); err != nil {
		return nil, err
	}
	s := b.Snapshot()
	return s, b.Unreadable()
}
