//go:build linux

// Command scorecard breaks nodes with every scenario of the lab, compares the answers of nodetriage with the truth, and
// writes the table of docs/measurements/scorecard.md. It fails if an answer is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("scorecard", run) }

func run(ctx context.Context, _ []string) error {
	program := flag.String("nodetriage", "", "the program to judge")
	output := flag.String("o", "", "write the table to this file")
	cases := flag.String("cases", "", "write the cases below this folder")
	only := flag.String("only", "", "names of scenarios, with commas; the others keep their rows in the file")
	systemd := flag.Bool("systemd", false, "play on nodes whose first process is systemd, and what only these can show")
	at := flag.Int("parallel", 4, "scenarios at once")
	after := flag.Duration("after", 0, "look no sooner than this after each fault: what is said late must be as right as what is said at once")
	flag.Parse()
	path, err := tool.Program(*program)
	if err != nil {
		return err
	}
	if err := lab.CanRunMachines(); err != nil {
		return err
	}
	bin, err := lab.BuildNode(ctx, os.Stderr)
	if err != nil {
		return err
	}
	recorder := scenario.Recorder{Program: path, Kubectl: filepath.Join(bin, "kubectl"), Systemd: *systemd}
	all, prefix := scenario.All(), "lab-"
	if *systemd {
		all, prefix = scenario.OnSystemd(), "lab-systemd-"
	}
	scenarios := all
	if *only != "" {
		scenarios = nil
		for name := range strings.SplitSeq(*only, ",") {
			s, err := scenario.Named(name)
			if err != nil {
				return err
			}
			scenarios = append(scenarios, s)
		}
	}
	work, err := os.MkdirTemp("", "nodetriage-scorecard-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	results := make([]*scenario.Result, len(scenarios))
	var group errgroup.Group // a failure does not stop the others
	group.SetLimit(*at)
	play := func(i int, s scenario.Scenario) (err error) {
		s.After = max(s.After, *after)
		results[i], err = recorder.Run(ctx, s, filepath.Join(work, s.Name), os.Stderr)
		if err != nil {
			fmt.Fprintln(os.Stderr, s.Name+":", err)
			return err
		}
		fmt.Fprint(os.Stderr, row(results[i]), times(results[i]), detail(results[i]))
		if *cases == "" {
			return nil
		}
		file := filepath.Join(*cases, s.Truth.Class, prefix+s.Name+".txtar")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, results[i].Case, 0o644)
	}
	for i, s := range scenarios {
		if !s.Loud {
			group.Go(func() error { return play(i, s) })
		}
	}
	failed := group.Wait()
	for i, s := range scenarios {
		if s.Loud {
			failed = errors.Join(failed, play(i, s))
		}
	}
	var before []byte
	if *only != "" {
		if before, err = os.ReadFile(*output); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	text, wrong := table(string(before), all, results)
	if *after > 0 {
		text = strings.Replace(text, "# Scorecard\n", fmt.Sprintf("# Scorecard, looked at late\n\nNo answer was asked sooner than %s after its fault: kubelets and controllers say other things then than at once.\n", *after), 1)
	}
	if err := tool.Write(*output, text); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%d answers are wrong", wrong)
	}
	return failed
}
