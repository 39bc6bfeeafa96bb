package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// testCase is recorded evidence with its confirmed cause; the format is described in docs/knowledge.md.
type testCase struct {
	name     string
	truth    truth
	evidence fs.FS
}

type truth struct {
	Class      string   `json:"class"`
	Secondary  []string `json:"secondary,omitempty"`
	Need       string   `json:"need,omitempty"`
	Not        []string `json:"not,omitempty"`
	Provenance string   `json:"provenance,omitempty"`
	Source     string   `json:"source,omitempty"`
	Misleading bool     `json:"misleading,omitempty"`
	Thin       bool     `json:"thin,omitempty"`
	Truth      string   `json:"truth,omitempty"`
	Confidence string   `json:"confidence,omitempty"`
	Note       string   `json:"note,omitempty"`
}

const testHelp = `Run recorded cases: evidence with the cause that was confirmed. A case is a *.txtar
file or a folder with truth.yaml and evidence/, anywhere below PATH. Keep the
incidents of your own clusters as cases, and an update cannot forget them.

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
			var cases []testCase
			for _, arg := range args {
				found, err := findCases(arg)
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
				report := k.judge(snapshotOf(c, k), time.Time{})
				if problem := c.judge(report); problem != "" {
					failed++
					fmt.Fprintf(cmd.OutOrStdout(), "FAIL %s: %s\n", c.name, problem)
				} else if verbose {
					fmt.Fprintf(cmd.OutOrStdout(), "ok   %s\n", c.name)
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

func snapshotOf(c testCase, k *knowledge) *evidence.Snapshot {
	b := collect.NewBuilder(evidence.Source{Kind: "case", Name: c.name}, k.signatures)
	if err := b.AddFS(c.evidence); err != nil {
		b.Gap("evidence", err.Error(), "")
	}
	return b.Snapshot()
}

// judge returns what is wrong with the report, or "".
func (c testCase) judge(r *triage.Report) string {
	var problems []string
	first := "nothing"
	if len(r.Findings) > 0 {
		first = r.Findings[0].Cause
	}
	switch c.truth.Class {
	case "none":
		if len(r.Findings) > 0 {
			problems = append(problems, "found "+first+" where nothing is wrong")
		}
	case "unknown":
		if len(r.Findings) > 0 {
			problems = append(problems, "named "+first+" where the evidence is not enough")
		}
	default:
		if first != c.truth.Class && !c.truth.tolerates(first, r) {
			problems = append(problems, fmt.Sprintf("first is %s, want %s", first, c.truth.Class))
		}
	}
	for _, f := range r.Findings {
		if slices.Contains(c.truth.Not, f.Cause) {
			problems = append(problems, "must not find "+f.Cause)
		}
	}
	return strings.Join(problems, "; ")
}

// tolerates tells whether another answer than the class will do. What was recorded in the lab is judged as the scorecard
// does: what is true and says less, or nothing, is unknown, and the report must ask for what would tell.
func (t truth) tolerates(first string, r *triage.Report) bool {
	wider := slices.Contains(t.Secondary, first)
	if t.Provenance != "recorded" {
		return wider
	}
	asks := t.Need != "" && slices.ContainsFunc(r.NotChecked, func(n triage.NotChecked) bool { return strings.Contains(n.How, t.Need) })
	return asks && (wider || len(r.Findings) == 0)
}

func findCases(root string) ([]testCase, error) {
	var cases []testCase
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read cases: %w", err)
		}
		var c testCase
		switch {
		case !entry.IsDir() && strings.HasSuffix(path, ".txtar"):
			c, err = readArchive(path)
		case entry.Name() == "truth.yaml":
			c, err = readFolder(filepath.Dir(path))
		default:
			return nil
		}
		if err != nil {
			return fmt.Errorf("read case %s: %w", path, err)
		}
		cases = append(cases, c)
		return nil
	})
	return cases, err
}

func readArchive(path string) (testCase, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return testCase{}, err
	}
	files, err := txtar.FS(archive)
	if err != nil {
		return testCase{}, err
	}
	return newCase(path, files)
}

func readFolder(dir string) (testCase, error) { return newCase(dir, os.DirFS(dir)) }

func newCase(name string, files fs.FS) (testCase, error) {
	c := testCase{name: name}
	data, err := fs.ReadFile(files, "truth.yaml")
	if err != nil {
		return c, err
	}
	if err := yaml.Unmarshal(data, &c.truth); err != nil {
		return c, err
	}
	if c.truth.Class == "" {
		return c, errors.New("truth.yaml: class is missing")
	}
	if _, err := fs.Stat(files, "evidence"); err != nil {
		return c, errors.New("there is no evidence folder")
	}
	c.evidence, err = fs.Sub(files, "evidence")
	return c, err
}
