package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/execute"
)

const repairHelp = `Repair one resource in Azure that keeps nodes from working. Without --apply nothing
is changed: what would be done is shown, with every precondition, and the az
command that does it by hand.

  reconcile cluster|POOL    write it as it is, so that Azure completes it
  abort cluster|POOL        end the operation that runs
  refresh NODE              bring the machine to its model (update-instances)
  reimage NODE              give the machine a new system disk
  restart NODE              restart the machine
  redeploy NODE             move the machine to another host
  start NODE                start the machine that is off
  delete-machine NODE       take the machine out of its pool
  upgrade-image POOL        give its machines the newest node image, in turn
  add-pool POOL --like POOL --count N
                            with --size, --label and --taint of its own
  scale-pool POOL --count N
  delete-pool POOL          and show which pods would stay Pending

With --apply: the evidence is saved, you type the name of what is changed, and
everything is checked once more. Where the change ends the system that runs on a
node, what the node's agent saved while it was sick is fetched with the evidence.
Then the one change is made, followed to its end,
and every node that it concerns is verified: up to 10 that it changed as by
nodetriage verify, the others by what the API server and Azure report. A node that
a drain of nodetriage cordoned is uncordoned. Ctrl-C leaves the operation to Azure,
and the same command resumes it, also after a kill. Nothing is ever sent twice.

It is refused while an operation or auto-repair runs, under a lock or lockdown,
when counts differ, when many nodes of the pool are unhealthy, and on evidence
older than 5 minutes. --accept overrides a gate that a person may decide about:
cause, budgets, pool-health, model, drained, pinned, bound, irreversible.

Exit codes: 0 the plan is clear, or done and verify is clear, 1 the tool failed, 2
bad usage or unreadable input, 3 refused, failed, or verify is not clear, 5 not
enough evidence to judge, verify does not know, or it is not over yet.`

// repairFlags are the flags of a repair.
type repairFlags struct {
	ask.RepairOptions
	count  int
	accept []string

	apply, yes, again, uncordon bool
	state                       string
	timeout, verify             time.Duration
}

func (f *repairFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.apply, "apply", false, "change it; without, only the plan is shown")
	set.BoolVarP(&f.yes, "yes", "y", false, "do not ask")
	set.StringSliceVar(&f.accept, "accept", nil, "continue despite this `GATE` (repeatable)")
	set.IntVar(&f.count, "count", -1, "the pool gets `N` machines, for add-pool and scale-pool")
	set.StringVar(&f.Like, "like", "", "copy the settings of this `POOL` for the new one")
	set.StringVar(&f.Size, "size", "", "the new pool has machines of this `SIZE`, not that of the other")
	set.StringSliceVar(&f.Labels, "label", nil, "the new pool has this `KEY=VALUE` too (repeatable)")
	set.StringSliceVar(&f.Taints, "taint", nil, "the new pool has this `KEY=VALUE:EFFECT` too (repeatable)")
	set.BoolVar(&f.uncordon, "uncordon", false, "uncordon the node at the end, whoever cordoned it")
	set.BoolVar(&f.again, "again", false, "do it although the same was done in the last 15 minutes")
	set.StringVar(&f.state, "state", "", "keep journals and saved evidence in this `DIR` (default $XDG_STATE_HOME/nodetriage)")
	set.DurationVar(&f.timeout, "timeout", time.Hour, "wait this `TIME` for the operation; it continues in Azure after that")
	set.DurationVar(&f.verify, "verify-timeout", 10*time.Minute, "wait this `TIME` for the proof that it worked")
}

func newRepair() *cobra.Command {
	var out outputFlags
	var know knowledgeFlags
	f := &repairFlags{}
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "repair ACTION TARGET",
		Short: "Repair one resource in Azure, or only plan to",
		Long:  repairHelp,
		Example: `  nodetriage repair reconcile cluster   # what would happen, and what is in the way
  nodetriage repair reconcile np1 --apply
  nodetriage repair reimage aks-np1-12345678-vmss000002 --apply
  nodetriage repair scale-pool np1 --count 5 --apply --yes
  nodetriage repair delete-pool np1          # and which pods would stay Pending`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(out.check(), f.read(cmd.CommandPath(), args, src)); err != nil {
				return err
			}
			from, err := src.from(cmd, &out, &know)
			if err != nil {
				return err
			}
			r := &repairing{f: f, src: src, from: from, out: &out, cmd: cmd}
			if f.apply {
				return r.carryOut()
			}
			l, err := ask.Repair(cmd.Context(), from, f.RepairOptions)
			if err != nil {
				return err
			}
			if err := repairForms.write(cmd.OutOrStdout(), &out, l.Plan); err != nil {
				return err
			}
			return repairCode(l.Plan.Verdict)
		},
	}
	f.register(cmd.Flags())
	know.register(cmd.Flags())
	out.register(cmd.Flags(), withoutPath(repairForms.names())...)
	src.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	_ = cmd.Flags().MarkHidden("at") // a repair is about now
	return cmd
}

// read checks the arguments and returns the options of the flags.
func (f *repairFlags) read(path string, args []string, src *sourceFlags) error {
	if len(args) != 2 {
		return usagef("repair: name an action and what it is done to; %s --help shows how", path)
	}
	f.Action, f.Target = cloud.Verb(args[0]), args[1]
	if f.count >= 0 {
		f.Count = &f.count
	}
	for _, a := range f.accept {
		f.Accept = append(f.Accept, repair.GateName(a))
	}
	if len(src.files) == 0 {
		f.Inspect = src.cloud.inspect
	}
	f.Bundle = func(read time.Time) string { return execute.BundlePath(f.dir(), f.Action, f.Target, read) }
	f.Archive = archiveIn(f.dir())
	if err := f.Check(); err != nil {
		return err
	}
	switch {
	case f.apply && len(src.files) > 0:
		return usagef("repair: saved evidence can only be planned; leave out --apply or -f")
	case src.at != "":
		return usagef("repair: it changes the present; leave out --at")
	}
	return nil
}

// repairing is one run of a command that changes something.
type repairing struct {
	f    *repairFlags
	src  *sourceFlags
	from ask.From
	out  *outputFlags
	cmd  *cobra.Command
}

// dir returns the folder of journals and saved evidence.
func (f *repairFlags) dir() string {
	if f.state != "" {
		return f.state
	}
	return stateDir()
}

// stateDir returns the default folder of evidence and journals.
func stateDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "nodetriage")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "nodetriage"
	}
	return filepath.Join(home, ".local", "state", "nodetriage")
}

func repairCode(v plan.Verdict) error {
	return exitFor(v, map[plan.Verdict]exitCode{plan.Blocked: exitProblem, plan.Unclear: exitUnclear})
}

// saveEvidence writes a bundle before anything is changed, and fetches what only the nodes have.
func (r *repairing) saveEvidence(l *ask.Repairing, texts *bundle.Texts) error {
	opt := bundle.Options{Tool: "nodetriage " + version}
	_, err := bundle.Save(r.cmd.Context(), l.Plan.Bundle, false, l.Snapshot, texts, opt)
	if err != nil {
		return fmt.Errorf("save the evidence before the change: %w", err)
	}
	fmt.Fprintf(os.Stderr, "nodetriage: the evidence is saved as %s\n", l.Plan.Bundle)
	return r.src.fetch(r.cmd.Context(), l.Plan.Saved)
}

func writeLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }
