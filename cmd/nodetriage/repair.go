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

const repairHelp = `Repair one node, node pool or cluster in Azure. Without --apply, repair changes
nothing and only shows a plan: the change, every safety check, and the az
command for the same change.

  reconcile cluster|POOL    send an update without changes, so that Azure
                            completes a failed operation
  abort cluster|POOL        cancel the running operation
  refresh NODE              apply the latest scale set model to the VM
                            (az vmss update-instances)
  reimage NODE              replace the OS disk of the VM
  restart NODE              restart the VM
  redeploy NODE             move the VM to another host
  start NODE                start a stopped VM
  delete-machine NODE       delete the VM; the pool then has one node less
  upgrade-image POOL        upgrade to the latest node image, node by node
  add-pool NEW-POOL --like POOL --count N
                            add NEW-POOL with the settings of POOL;
                            optional: --size, --label, --taint
  scale-pool POOL --count N set the number of nodes
  delete-pool POOL          delete the pool; the plan shows pods that would stay
                            Pending

With --apply, repair does the following:

  1. Save the evidence. If the change stops a node, also copy the evidence that
     nodetriage-agent saved on this node.
  2. Ask you to type the name of the target, then run all safety checks again.
  3. Make one change, and wait until it ends.
  4. Verify the changed nodes: at most 10 of them with all checks of nodetriage
     verify, the others only with data of the API server and of Azure.
  5. Uncordon the node, if nodetriage drain cordoned it.

After Ctrl-C, Azure continues the operation. If you run the same command again,
repair waits for this operation and does not send the request again. Within 15
minutes after a change ends, repair makes the same change again only with
--again.

If one of these conditions is true, the plan shows it, and repair --apply
refuses the change:

  - another operation or auto-repair is running (for abort: no operation is
    running)
  - a resource lock or node resource group lockdown exists
  - the node count differs between Kubernetes and Azure
  - the evidence is older than 5 minutes

repair --apply also refuses the change if one of the following safety checks
fails. Override a check with --accept CHECK. A check fails if:

  cause         a problem that was found, such as a reached quota, would make
                the change fail
  budgets       a PodDisruptionBudget blocks the drain of a node
  pool-health   many nodes of the pool are unhealthy
  model         only for refresh: the VM does not have the latest scale set
                model, so the change may replace its image and restart it
  drained       the node is not cordoned, or still runs pods that the change
                would kill. An unreachable node cannot be drained: for it, the
                check fails only if the change would erase the only copy of
                the data of a pod
  pinned        pods can run only in this pool
  bound         only for abort: the operation has not exceeded its maximum
                duration yet
  irreversible  VMs are deleted

Exit codes:

  0  nothing blocks the plan; with --apply: the change is verified
  1  internal error
  2  bad usage or unreadable input
  3  something blocks the plan; with --apply: the change was refused, failed or
     was not verified
  5  not enough evidence, or the operation has not finished`

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
	set.BoolVar(&f.apply, "apply", false, "Carry out the plan. Without --apply, only show the plan.")
	set.BoolVarP(&f.yes, "yes", "y", false, "Do not ask for confirmation.")
	set.StringSliceVar(&f.accept, "accept", nil, "`CHECK` Continue although this safety check failed (see the list above). Repeatable.")
	set.IntVar(&f.count, "count", -1, "`N` Number of nodes in the pool, for add-pool and scale-pool.")
	set.StringVar(&f.Like, "like", "", "`POOL` Copy the settings of this pool, for add-pool.")
	set.StringVar(&f.Size, "size", "", "`SIZE` VM size of the new pool. Default: the size of the --like pool.")
	set.StringSliceVar(&f.Labels, "label", nil, "`KEY=VALUE` Additional label of the new pool. Repeatable.")
	set.StringSliceVar(&f.Taints, "taint", nil, "`KEY=VALUE:EFFECT` Additional taint of the new pool. Repeatable.")
	set.BoolVar(&f.uncordon, "uncordon", false, "Uncordon the node at the end, even if nodetriage drain did not cordon it.")
	set.BoolVar(&f.again, "again", false, "Make the change even if the same change was made in the last 15 minutes. Default: such a change is not repeated.")
	set.StringVar(&f.state, "state", "", "`DIR` Folder for the log of the repair (repair needs it to resume) and for the saved evidence. Default: $XDG_STATE_HOME/nodetriage.")
	set.DurationVar(&f.timeout, "timeout", time.Hour, "`DURATION` Wait at most this long for the operation. After a timeout, the operation continues in Azure.")
	set.DurationVar(&f.verify, "verify-timeout", 10*time.Minute, "`DURATION` Maximum time for the verification after the change.")
}

func newRepair() *cobra.Command {
	var out outputFlags
	var know knowledgeFlags
	f := &repairFlags{}
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "repair ACTION TARGET",
		Short: "Repair a node, pool or cluster in Azure",
		Long:  repairHelp,
		Example: `  nodetriage repair reconcile cluster   # what would happen, and what blocks it
  nodetriage repair reconcile np1 --apply
  nodetriage repair reimage aks-np1-12345678-vmss000002 --apply
  nodetriage repair scale-pool np1 --count 5 --apply --yes
  nodetriage repair delete-pool np1          # shows the pods that would stay Pending`,
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
	if len(args) > 0 {
		f.Action, args = cloud.Verb(args[0]), args[1:]
	}
	if f.Subject().Kind == "Node" {
		args = nodeNames(args)
	}
	if len(args) != 1 {
		return hintf(path+" ACTION TARGET; --help lists the actions", "repair: an action and one target are required")
	}
	f.Target = args[0]
	if f.count >= 0 {
		f.Count = &f.count
	}
	for _, a := range f.accept {
		f.Accept = append(f.Accept, repair.GateName(a))
	}
	if len(src.files) == 0 {
		f.Inspect = src.cloud.inspect
	}
	f.Describe = src.cloud.describe
	f.Bundle = func(read time.Time) string { return execute.BundlePath(f.dir(), f.Action, f.Target, read) }
	f.Archive = archiveIn(f.dir())
	if err := f.Check(); err != nil {
		return err
	}
	switch {
	case f.apply && len(src.files) > 0:
		return hintf("leave out --apply, or -f", "repair: --apply needs a cluster, and -f is saved evidence")
	case src.at != "":
		return hintf("leave it out", "repair: --at is not supported")
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
