package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/report"
)

// runFlags are the flags for carrying out a plan.
type runFlags struct {
	yes, anyway, uncordon, restore bool
	dryRun                         string
	timeout                        time.Duration
	log                            string
}

func (f *runFlags) register(set *pflag.FlagSet) {
	set.BoolVarP(&f.yes, "yes", "y", false, "Do not ask for confirmation.")
	set.BoolVar(&f.anyway, "anyway", false, "Start even if the plan is blocked. drain evicts the pods that nothing blocks, and waits up to --timeout until it can evict the others. It does not accept a risk: see --accept.")
	set.DurationVar(&f.timeout, "timeout", time.Hour, "`DURATION` Stop the whole drain after this time. 0 means no limit.")
	set.BoolVar(&f.uncordon, "uncordon-on-abort", false, "Uncordon the nodes if the drain does not finish.")
	set.StringVar(&f.dryRun, "dry-run", "", "`STRATEGY` client: print the requests instead of sending them. server: let the API server check each request without persisting it. none: drain (default).")
	set.StringVar(&f.log, "log", "", "`FILE` Append each action to this file, one JSON object per line.")
	set.BoolVar(&f.restore, "restore", false, "Do not drain. Only restore the PodDisruptionBudgets and replicas of a drain that was killed.")
}

// dryRunWords are the values of --dry-run.
var dryRunWords = []string{"client", "server", "none"}

func (f *runFlags) check(plan bool, src *sourceFlags) error {
	if f.dryRun == "none" {
		f.dryRun = ""
	}
	switch {
	case f.dryRun != "" && !slices.Contains(dryRunWords, f.dryRun):
		return hintf("use client, server or none", "invalid value %q for --dry-run", f.dryRun)
	case !plan && f.dryRun != "client" && len(src.files) > 0:
		return hintf("use --plan, or leave out -f", "drain: a drain needs a cluster, and -f is saved evidence")
	}
	return nil
}

// run prints the plan, asks for confirmation, and carries the plan out.
func (f *runFlags) run(cmd *cobra.Command, src *sourceFlags, out *outputFlags, accept []drain.Kind, p *drain.Plan) error {
	w := cmd.OutOrStdout()
	out.after = rowsBelow(p)
	if err := showFirst(w, out, p); err != nil {
		return err
	}
	if err := f.mayStart(cmd.Context(), src, accept, p); err != nil {
		return err
	}
	logs, err := f.logger(w, out, p)
	if err != nil {
		return err
	}
	defer logs.close()
	if f.dryRun == "client" {
		execute.Describe(p, logs.add)
		return nil
	}
	if f.dryRun == "" {
		if err := src.fetch(cmd.Context(), p.Saved); err != nil {
			return err
		}
	}
	if f.dryRun == "" && !f.yes {
		if err := confirm(cmd.InOrStdin(), p); err != nil {
			return err
		}
	}
	opt, err := f.options(src, f.dryRun == "server", logs.add)
	if err != nil {
		return err
	}
	opt.Accept = accept
	defer hold(cmd.Context(), "the drain restores PodDisruptionBudgets and replicas")()
	result, err := execute.Drain(cmd.Context(), p, opt)
	if err := f.finish(w, out, p, result); err != nil {
		return err
	}
	if err = errors.Join(err, logs.err); err != nil {
		return fmt.Errorf("drain %s: %w", strings.Join(p.Nodes, ", "), err)
	}
	if len(result.Left) > 0 || result.Aborted != "" {
		return exitProblem
	}
	return nil
}

// rowsBelow returns the number of rows that follow a plan on the screen: why nothing was done, or an empty row. The question has the
// row of the prompt.
func rowsBelow(p *drain.Plan) int {
	if drainCode(p) == nil {
		return 1
	}
	return rowsOn(nothingDone+notStarted(p), helpWidth)
}

// mayStart reports whether the drain may start, and prints what blocks it. If policies and webhooks could not be read, it
// queries the API server.
func (f *runFlags) mayStart(ctx context.Context, src *sourceFlags, accept []drain.Kind, p *drain.Plan) error {
	code := drainCode(p)
	if code == nil || f.anyway || f.dryRun != "" {
		return nil
	}
	why := notStarted(p)
	if p.AskFirst && p.Verdict != plan.Blocked {
		opt, err := f.options(src, true, nil)
		if err != nil {
			return err
		}
		opt.Accept = accept
		refused, err := execute.Ask(ctx, p, opt)
		switch {
		case err != nil:
			why += ". The server-side dry run failed: " + report.Clean(err.Error())
		case len(refused) == 0:
			fmt.Fprintln(os.Stderr, "nodetriage: the admission policies and webhooks could not be read, but they allow all requests (server-side dry run)")
			return nil
		default:
			code, why = exitProblem, fmt.Sprintf("the API server rejects %d of the requests (server-side dry run); fix the reason, or use --anyway", len(refused))
			for _, r := range refused {
				why += "\n   " + report.Clean(r.Object+": "+r.Says)
			}
		}
	}
	fmt.Fprintln(os.Stderr, nothingDone+why)
	return code
}

const nothingDone = "nodetriage: nothing was done: "

// notStarted describes what blocks a drain.
func notStarted(p *drain.Plan) string {
	if p.Verdict == plan.Blocked {
		return "the plan is blocked: remove the blockers, or use --anyway\nhint: --anyway evicts the pods that nothing blocks, and waits up to --timeout until it can evict the others"
	}
	return "some data that may show a blocker could not be read (" + report.Clean(p.NotChecked[0].What) + "); get permission to read it, or use --anyway"
}

// options returns the options of an execution. Its Writer is created only after the plan was shown and accepted, or for a dry
// run.
func (f *runFlags) options(src *sourceFlags, pretend bool, log func(execute.Entry)) (execute.Options, error) {
	reader, writer, err := src.writer(pretend)
	if err != nil {
		return execute.Options{}, err
	}
	return execute.Options{
		Reader: reader, Writer: writer, By: whoami(), DryRun: pretend,
		Timeout: f.timeout, UncordonOnAbort: f.uncordon, Log: log,
	}, nil
}

// putBack implements drain --restore.
func (f *runFlags) putBack(ctx context.Context, w io.Writer, src *sourceFlags, out *outputFlags) error {
	logs, err := f.logger(w, out, &drain.Plan{})
	if err != nil {
		return err
	}
	defer logs.close()
	opt, err := f.options(src, f.dryRun == "server", logs.add)
	if err != nil {
		return err
	}
	defer hold(ctx, "the PodDisruptionBudgets and replicas of earlier drains are restored")()
	if err := errors.Join(execute.Restore(ctx, opt), logs.err); err != nil {
		return fmt.Errorf("restore the PodDisruptionBudgets and replicas of earlier drains: %w", err)
	}
	return nil
}

// whoami returns the user name for the annotations of a drain.
func whoami() string {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		name += "@" + host
	}
	return name
}

func showFirst(w io.Writer, out *outputFlags, p *drain.Plan) error {
	if out.format == "json" {
		return json.NewEncoder(w).Encode(p) // one line, like the following ones
	}
	return drainForms.print(w, out, p)
}

// confirm asks on a terminal. Without a terminal it requires --yes.
func confirm(in io.Reader, p *drain.Plan) error {
	if f, ok := in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return hintf("use --yes to skip the confirmation", "drain: confirmation is required, and standard input is not a terminal")
	}
	fmt.Fprintf(os.Stderr, "\nDrain %s? [y/N] ", report.Clean(strings.Join(p.Nodes, ", ")))
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && answer == "" {
		return fmt.Errorf("read the answer: %w", err)
	}
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		fmt.Fprintln(os.Stderr, "nodetriage: nothing was done")
		return exitFailed
	}
	return nil
}

// finish prints how the drain ended, and how to uncordon its nodes.
func (f *runFlags) finish(w io.Writer, out *outputFlags, p *drain.Plan, r *execute.Result) error {
	if out.format == "json" {
		return json.NewEncoder(w).Encode(struct {
			Kind string `json:"kind"`
			*execute.Result
		}{"DrainResult", r})
	}
	end := report.DrainEnd{Nodes: p.Nodes, DryRun: r.DryRun, Drained: r.Drained, Evicted: r.Evicted, Aborted: r.Aborted, Left: leftLines(r)}
	if !r.DryRun && (r.Aborted == "" || !f.uncordon) {
		end.Undo = string(p.Uncordon())
	}
	return out.say(w, func(w io.Writer, s report.Style) error { return report.Drained(w, end, s) })
}

func leftLines(r *execute.Result) []string {
	var out []string
	for _, l := range r.Left {
		text := l.Pod
		if l.Why != "" {
			text += ": " + l.Why
		}
		out = append(out, text)
	}
	return out
}
