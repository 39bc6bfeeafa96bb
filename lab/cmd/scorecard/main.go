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
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("scorecard", run) }

// options are the flags.
type options struct {
	output, cases, only string
	systemd             bool
	parallel            int
	after               time.Duration
}

func run(ctx context.Context, _ []string) error {
	var o options
	program := flag.String("nodetriage", "", "the program to judge")
	flag.StringVar(&o.output, "o", "", "write the table to this file")
	flag.StringVar(&o.cases, "cases", "", "write the cases below this folder")
	flag.StringVar(&o.only, "only", "", "names of scenarios, with commas; the others keep their rows in the file")
	flag.BoolVar(&o.systemd, "systemd", false, "play on nodes whose first process is systemd, and what only these can show")
	flag.IntVar(&o.parallel, "parallel", 4, "scenarios at once")
	flag.DurationVar(&o.after, "after", 0, "look no sooner than this after each fault: what is said late must be as right as what is said at once")
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
	all := o.from()
	scenarios, err := scenario.Chosen(o.only, all)
	if err != nil {
		return err
	}
	results, failed := o.play(ctx, scenario.Recorder{Program: path, Kubectl: filepath.Join(bin, "kubectl"), Systemd: o.systemd}, scenarios)
	wrong, err := o.write(all, results)
	switch {
	case err != nil:
		return err
	case wrong > 0:
		return fmt.Errorf("%d answers are wrong", wrong)
	}
	return failed
}

func (o options) from() []scenario.Scenario {
	if o.systemd {
		return scenario.OnSystemd()
	}
	return scenario.All()
}

// play runs the scenarios, the loud ones alone and last. A failure does not stop the others.
func (o options) play(ctx context.Context, recorder scenario.Recorder, scenarios []scenario.Scenario) ([]*scenario.Result, error) {
	work, err := os.MkdirTemp("", "nodetriage-scorecard-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	results := make([]*scenario.Result, len(scenarios))
	play := func(i int, s scenario.Scenario) (err error) {
		s.After = max(s.After, o.after)
		if results[i], err = recorder.Run(ctx, s, filepath.Join(work, s.Name), os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, s.Name+":", err)
			return err
		}
		fmt.Fprint(os.Stderr, row(results[i]), times(results[i]), detail(results[i]))
		return o.keep(s, results[i].Case)
	}
	var group errgroup.Group
	group.SetLimit(o.parallel)
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
	return results, failed
}

// keep writes a case below the folder of cases, if there is one.
func (o options) keep(s scenario.Scenario, text []byte) error {
	if o.cases == "" {
		return nil
	}
	prefix := "lab-"
	if o.systemd {
		prefix = "lab-systemd-"
	}
	file := filepath.Join(o.cases, s.Truth.Class, prefix+s.Name+".txtar")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// write writes the table, and returns how many answers are wrong.
func (o options) write(all []scenario.Scenario, results []*scenario.Result) (wrong int, err error) {
	var before []byte
	if o.only != "" {
		if before, err = os.ReadFile(o.output); err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, err
		}
	}
	text, wrong := table(string(before), all, results)
	if o.after > 0 {
		text = strings.Replace(text, "# Scorecard\n", fmt.Sprintf("# Scorecard, looked at late\n\nNo answer was asked sooner than %s after its fault: kubelets and controllers say other things then than at once.\n", o.after), 1)
	}
	return wrong, tool.Write(o.output, text)
}
