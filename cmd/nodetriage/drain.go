package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/ask"
)

const drainHelp = `Drain nodes without harm. The plan comes first: what happens to every pod, what
blocks the drain and how to remove that with the least harm, in which order pods
are evicted under their disruption budgets, how long it takes, and what else the
cordon does. Budgets are shared by all the nodes that are named. With --plan it
ends there and changes nothing.

What the agent on a node saved while it was sick is fetched first, into
$XDG_STATE_HOME/nodetriage: a node is mostly rebooted or replaced after a drain.
Then it asks, cordons the nodes, and evicts. It says what each pod waits for when
the wait begins. Interrupted or killed, it continues where it was when it is
started again. The nodes stay cordoned. A cordon of somebody else is never touched;
budgets that were suspended and replicas that were added are restored in any case,
after a kill by the next drain.

Where admission policies or webhooks may not be read, the API server is asked first
what they refuse, by a dry run of every request; if it refuses one, nothing is done.

A pod that would be lost, or would lose data, blocks the plan until --accept names
what is to be accepted: unmanaged, local-data, local-volume, no-room.

Exit codes: 0 drained, or the plan is clear or only slow, 1 the tool failed, 2 bad
usage or unreadable input, 3 the plan is blocked, or pods are left, 5 not enough
evidence to judge.`

// drainFlags are the flags of a drain plan.
type drainFlags struct {
	plan    bool
	accept  []string
	suspend []string
	surge   bool
}

func (f *drainFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.plan, "plan", false, "only show the plan")
	set.StringSliceVar(&f.accept, "accept", nil, "evict pods despite this `KIND` of blocker: unmanaged, local-data, local-volume, no-room (repeatable)")
	set.StringSliceVar(&f.suspend, "suspend-pdb", nil, "suspend this budget during the drain: NAMESPACE/`NAME`, or its name (repeatable)")
	set.BoolVar(&f.surge, "surge", false, "start a second replica before the only one of a Deployment goes")
}

// options returns the options of the flags for these nodes.
func (f *drainFlags) options(nodes []string) ask.DrainOptions {
	opt := ask.DrainOptions{Nodes: nodes, Suspend: f.suspend, Surge: f.surge, Archive: archiveIn(stateDir())}
	for _, a := range f.accept {
		opt.Accept = append(opt.Accept, drain.Kind(a))
	}
	return opt
}

func newDrain() *cobra.Command {
	var out outputFlags
	var f drainFlags
	var run runFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "drain NODE...",
		Short: "Drain nodes, or only plan to",
		Long:  drainHelp,
		Example: `  nodetriage drain worker-3 --plan          # what would happen, and what is in the way
  nodetriage drain worker-3 worker-4 --plan # budgets are shared by both
  nodetriage drain worker-3 --plan -f bundle.tar.gz
  nodetriage drain worker-3                 # the plan, then a question, then the drain
  nodetriage drain worker-3 --yes --timeout 30m --log drain.jsonl
  nodetriage drain worker-3 --dry-run=server`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := run.check(f.plan, src); err != nil {
				return err
			}
			if run.restore {
				return run.putBack(cmd.Context(), cmd.OutOrStdout(), src, &out)
			}
			if len(args) == 0 {
				return usagef("drain: name the nodes; %s --help shows how", cmd.CommandPath())
			}
			from, err := src.from(cmd, &out, &knowledgeFlags{})
			if err != nil {
				return err
			}
			opt := f.options(nodeNames(args))
			d, err := ask.Drain(cmd.Context(), from, opt)
			if err != nil {
				return err
			}
			if !f.plan {
				return run.run(cmd, src, &out, opt.Accept, d)
			}
			if err := drainForms.write(cmd.OutOrStdout(), &out, d); err != nil {
				return err
			}
			return drainCode(d)
		},
	}
	f.register(cmd.Flags())
	run.register(cmd.Flags())
	out.register(cmd.Flags(), withoutPath(drainForms.names())...)
	src.register(cmd.Flags())
	return cmd
}

func drainCode(d *drain.Plan) error {
	if d.Verdict != plan.Blocked && len(d.NotChecked) > 0 {
		return exitUnclear
	}
	return exitFor(d.Verdict, map[plan.Verdict]exitCode{plan.Blocked: exitProblem})
}
