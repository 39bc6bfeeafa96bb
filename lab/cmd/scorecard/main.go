//go:build linux

// Command scorecard breaks nodes in every way that the lab knows, compares what nodetriage says with what was
// broken, and writes the table of docs/scorecard.md. It fails when an answer is wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "scorecard:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	program := flag.String("nodetriage", "", "the program to judge")
	output := flag.String("o", "", "write the table to this file")
	cases := flag.String("cases", "", "write the cases below this folder")
	only := flag.String("only", "", "names of scenarios, with commas")
	at := flag.Int("parallel", 3, "scenarios at once")
	flag.Parse()
	path, err := exec.LookPath(*program)
	if err != nil {
		return fmt.Errorf("find nodetriage (name it with -nodetriage): %w", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	if err := lab.CanRunMachines(); err != nil {
		return err
	}
	bin, err := lab.BuildNode(ctx, os.Stderr)
	if err != nil {
		return err
	}
	recorder := scenario.Recorder{Program: path, Kubectl: filepath.Join(bin, "kubectl")}
	scenarios := scenario.All()
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
	var group errgroup.Group // one that fails leaves the others their time
	group.SetLimit(*at)
	for i, s := range scenarios {
		group.Go(func() (err error) {
			results[i], err = recorder.Run(ctx, s, filepath.Join(work, s.Name), os.Stderr)
			if err != nil {
				fmt.Fprintln(os.Stderr, s.Name+":", err)
				return err
			}
			fmt.Fprint(os.Stderr, row(results[i]), detail(results[i]))
			if *cases == "" {
				return nil
			}
			file := filepath.Join(*cases, s.Truth.Class, "lab-"+s.Name+".txtar")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			return os.WriteFile(file, results[i].Case, 0o644)
		})
	}
	failed := group.Wait()
	text, wrong := table(results)
	if *output == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(*output, []byte(text), 0o644); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%d answers are wrong", wrong)
	}
	return failed
}

const head = `# Scorecard

Every row is a node that was broken for real in the lab, once, and what nodetriage said of it, by what it was shown.
Right: the cause, or an agreed neighbour, is first. Second: it is named, but not first. Wider: a true cause that says less.
Unknown: nothing was named. Wrong: something else was named. **With node report** is the bundle and what ` + "`nodetriage node-check`" + ` and the logs
of kubelet and runtime say on the node. The times count from the break: when Kubernetes said NotReady, and when nodetriage was right from the API alone.
` + "`make scorecard`" + ` makes this page anew.

| scenario | truth | `

func table(results []*scenario.Result) (string, int) {
	var out strings.Builder
	out.WriteString(head + strings.Join(scenario.Ways, " | ") + " | NotReady | answer | healed |\n")
	out.WriteString("| --- | --- |" + strings.Repeat(" --- |", len(scenario.Ways)+3) + "\n")
	count := map[scenario.Verdict]int{}
	for _, r := range results {
		if r == nil {
			continue
		}
		out.WriteString(row(r))
		for _, a := range r.Answers {
			count[a.Verdict]++
		}
	}
	fmt.Fprintf(&out, "\n%d right, %d second, %d wider, %d unknown, %d wrong.\n", count[scenario.Right], count[scenario.Second], count[scenario.Wider], count[scenario.Unknown], count[scenario.Wrong])
	return out.String(), count[scenario.Wrong]
}

func row(r *scenario.Result) string {
	cells := []string{r.Scenario.Name, r.Scenario.Truth.Class}
	for _, way := range scenario.Ways {
		cells = append(cells, string(r.Answers[way].Verdict))
	}
	healed := map[bool]string{true: "yes", false: "no"}[r.Healed]
	return "| " + strings.Join(append(cells, seconds(r.NotReady), seconds(r.Answered), healed), " | ") + " |\n"
}

// detail is for the developer who reads along: the causes that were named.
func detail(r *scenario.Result) string {
	var out strings.Builder
	for _, way := range scenario.Ways {
		fmt.Fprintf(&out, "    %s: %v\n", way, r.Answers[way].Causes)
	}
	return out.String()
}

func seconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
