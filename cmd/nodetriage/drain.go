package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/ask"
)

const drainHelp = `Drain nodes safely. drain does the following:

  1. Show the plan: what happens to each pod, what blocks the drain, and the way
     with the lowest risk to unblock it. The plan also shows the order of
     evictions that the PodDisruptionBudgets allow, the expected duration, and
     side effects of the cordon. --plan stops here and changes nothing.
  2. If the plan could not read the admission policies or webhooks, send each
     cordon and eviction as a server-side dry run. If a policy or webhook
     rejects a request, drain stops here and changes nothing.
  3. If the DaemonSet nodetriage-agent saved evidence on the nodes, copy it to
     $XDG_STATE_HOME/nodetriage on your machine, because nodes are often
     reimaged after a drain.
  4. Ask for confirmation, cordon the nodes and evict the pods.
  5. Restore the PodDisruptionBudgets that --suspend-pdb suspended, and the
     number of replicas that --surge increased. The nodes stay cordoned.

After Ctrl-C, drain also restores these PodDisruptionBudgets and replicas. If
drain is killed, it cannot restore them. In this case, run the same command
again: it continues the drain and restores them at the end. Or run drain
--restore: it only restores them.

A pod that would not be recreated, would lose data or would stay Pending blocks
the plan, unless you accept the risk with --accept:

  unmanaged      no controller recreates the pod
  local-data     the data of an emptyDir volume is deleted
  host-data      the data of a hostPath volume stays on this node
  local-volume   the pod cannot start on another node, because its volume is on
                 this node
  no-room        no other node has capacity for the pod

Exit codes:

  0  the nodes are drained; with --plan: nothing blocks the drain (a slow drain
     counts as not blocked)
  1  internal error
  2  bad usage or unreadable input
  3  the plan is blocked, or pods that must be evicted are left on a node
  5  not enough evidence`

// drainFlags are the flags of a drain plan.
type drainFlags struct {
	plan    bool
	accept  []string
	suspend []string
	surge   bool
	kubectl kubectlDrainFlags
}

func (f *drainFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.plan, "plan", false, "Show the plan and change nothing.")
	set.StringSliceVar(&f.accept, "accept", nil, "`RISK` Accept this risk and evict the pods: unmanaged, local-data, host-data, local-volume or no-room (see above). Repeatable.")
	set.StringSliceVar(&f.suspend, "suspend-pdb", nil, "`PDB` Suspend this PodDisruptionBudget during the drain: NAMESPACE/NAME or NAME. Its selector then matches no pod, so it protects no pod on any node. It is restored afterwards. Repeatable.")
	set.BoolVar(&f.surge, "surge", false, "Start a second replica before the only replica of a Deployment is evicted.")
	f.kubectl.register(set)
}

// options returns the options of the flags for these nodes.
func (f *drainFlags) options(nodes []string) ask.DrainOptions {
	opt := ask.DrainOptions{Nodes: nodes, Selector: f.kubectl.selector, Accept: f.kubectl.accept(), Suspend: f.suspend, Surge: f.surge, Archive: archiveIn(stateDir())}
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
		Short: "Drain nodes safely",
		Long:  drainHelp,
		Example: `  nodetriage drain worker-3 --plan          # what would happen
  nodetriage drain worker-3 worker-4 --plan # both nodes in one plan
  nodetriage drain worker-3 --plan -f bundle.tar.gz
  nodetriage drain worker-3                 # plan, confirmation, drain
  nodetriage drain -l pool=blue --plan      # nodes by label
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
			names := nodeNames(args)
			if err := f.kubectl.check(names); err != nil {
				return err
			}
			if len(names) == 0 && f.kubectl.selector == "" {
				return hintf("nodetriage drain NODE --plan shows what would happen", "drain: name the nodes, or select them with -l")
			}
			from, err := src.from(cmd, &out, &knowledgeFlags{})
			if err != nil {
				return err
			}
			opt := f.options(names)
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
	saved := cmd.Flags().Lookup("filename")
	saved.Usage = strings.Replace(saved.Usage, "Read saved evidence instead of a cluster:", "Plan from saved evidence instead of a live cluster (only with --plan or --dry-run=client):", 1)
	return cmd
}

func drainCode(d *drain.Plan) error {
	if d.Verdict != plan.Blocked && len(d.NotChecked) > 0 {
		return exitUnclear
	}
	return exitFor(d.Verdict, map[plan.Verdict]exitCode{plan.Blocked: exitProblem})
}
