package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/azure"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/placement/scheduler"
	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/repair"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/simulate"
	"github.com/nodetriage/nodetriage/triage"
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

// repairFlags say what is changed and how.
type repairFlags struct {
	action cloud.Verb
	target string
	like   string
	count  int
	own    cloud.Own
	labels []string
	taints []string
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
	set.StringVar(&f.like, "like", "", "copy the settings of this `POOL` for the new one")
	set.StringVar(&f.own.Size, "size", "", "the new pool has machines of this `SIZE`, not that of the other")
	set.StringSliceVar(&f.labels, "label", nil, "the new pool has this `KEY=VALUE` too (repeatable)")
	set.StringSliceVar(&f.taints, "taint", nil, "the new pool has this `KEY=VALUE:EFFECT` too (repeatable)")
	set.BoolVar(&f.uncordon, "uncordon", false, "uncordon the node at the end, whoever cordoned it")
	set.BoolVar(&f.again, "again", false, "do it although the same was done in the last 15 minutes")
	set.StringVar(&f.state, "state", "", "keep journals and saved evidence in this `DIR` (default $XDG_STATE_HOME/nodetriage)")
	set.DurationVar(&f.timeout, "timeout", time.Hour, "wait this `TIME` for the operation; it continues in Azure after that")
	set.DurationVar(&f.verify, "verify-timeout", 10*time.Minute, "wait this `TIME` for the proof that it worked")
}

// actions are what can be done, with the kind of thing that it is done to.
var actions = map[cloud.Verb]string{
	cloud.Reconcile: "", cloud.Abort: "", // a cluster or a pool
	cloud.Refresh: "Node", cloud.Reimage: "Node", cloud.Restart: "Node", cloud.Redeploy: "Node", cloud.Start: "Node", cloud.DeleteMachine: "Node",
	cloud.UpgradeImage: "Pool",
	cloud.AddPool:      "Pool", cloud.ScalePool: "Pool", cloud.DeletePool: "Pool",
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
			k, err := know.load()
			if err != nil {
				return err
			}
			r := &repairing{f: f, src: src, k: k, out: &out, cmd: cmd}
			if f.apply {
				return r.carryOut()
			}
			l, err := r.look(cmd.Context())
			if err != nil {
				return err
			}
			if err := r.askAgents(cmd.Context(), l); err != nil {
				return err
			}
			if err := repairForms.write(cmd.OutOrStdout(), &out, l.plan); err != nil {
				return err
			}
			return repairCode(l.plan.Verdict)
		},
	}
	f.register(cmd.Flags())
	know.register(cmd.Flags())
	out.register(cmd.Flags(), withoutPath(repairForms.names())...)
	src.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	_ = cmd.Flags().MarkHidden("at") // it is about now
	return cmd
}

// read checks the arguments.
func (f *repairFlags) read(path string, args []string, src *sourceFlags) error {
	if len(args) != 2 {
		return usagef("repair: name an action and what it is done to; %s --help shows how", path)
	}
	f.action, f.target = cloud.Verb(args[0]), args[1]
	if _, known := actions[f.action]; !known {
		var names []string
		for v := range actions {
			names = append(names, string(v))
		}
		slices.Sort(names)
		return usagef("repair %q: use one of %s", args[0], strings.Join(names, ", "))
	}
	f.own.Labels, f.own.Taints = strings.Join(f.labels, ","), strings.Join(f.taints, ",")
	counted := f.action == cloud.AddPool || f.action == cloud.ScalePool
	switch {
	case f.target == "" || strings.HasPrefix(f.target, "-"):
		return usagef("repair %s %q: name what it is done to", f.action, f.target)
	case counted && (f.count < 0 || f.count > 1000):
		return usagef("repair %s: say how many machines with --count, from 0 to 1000", f.action)
	case !counted && f.count >= 0:
		return usagef("repair %s: --count is for add-pool and scale-pool", f.action)
	case (f.action == cloud.AddPool) != (f.like != ""):
		return usagef("repair %s: --like is for add-pool, which needs it: it names the pool to copy", f.action)
	case f.action != cloud.AddPool && f.own != (cloud.Own{}):
		return usagef("repair %s: --size, --label and --taint are for add-pool", f.action)
	case f.apply && len(src.files) > 0:
		return usagef("repair: saved evidence can only be planned; leave out --apply or -f")
	case src.at != "":
		return usagef("repair: it changes the present; leave out --at")
	}
	if err := f.checkOwn(); err != nil {
		return err
	}
	for _, a := range f.accept {
		if !slices.Contains(repair.Consents, repair.GateName(a)) {
			return usagef("accept %q: use one of %s", a, joinGates())
		}
	}
	f.count = max(f.count, 0)
	return nil
}

// checkOwn says what of a new pool's own settings no cloud would take.
func (f *repairFlags) checkOwn() error {
	if f.own.Size != "" && len(validation.IsQualifiedName(f.own.Size)) > 0 {
		return usagef("size %q: use the cloud's word, such as Standard_D4s_v5", f.own.Size)
	}
	for _, l := range f.labels {
		key, value, ok := strings.Cut(l, "=")
		if !ok || len(validation.IsQualifiedName(key)) > 0 || len(validation.IsValidLabelValue(value)) > 0 {
			return usagef("label %q: use KEY=VALUE", l)
		}
	}
	for _, t := range f.taints {
		if _, err := simulate.ParseTaint(t); err != nil {
			return usagef("taint %q: use KEY=VALUE:EFFECT, with effect NoSchedule, PreferNoSchedule or NoExecute", t)
		}
	}
	return nil
}

func joinGates() string {
	var out []string
	for _, g := range repair.Consents {
		out = append(out, string(g))
	}
	return strings.Join(out, ", ")
}

// subject is what is changed.
func (f *repairFlags) subject() evidence.Subject {
	switch kind := actions[f.action]; {
	case kind != "":
		return evidence.Subject{Kind: kind, Name: f.target}
	case f.target == "cluster":
		return evidence.ClusterSubject()
	}
	return evidence.Subject{Kind: "Pool", Name: f.target}
}

// repairing is one run of the command.
type repairing struct {
	f   *repairFlags
	src *sourceFlags
	k   *knowledge
	out *outputFlags
	cmd *cobra.Command

	place string // the provider id of a node: the cluster is found by it, also when its last node is gone
}

// looked is what one look at everything shows.
type looked struct {
	at       time.Time
	s        *evidence.Snapshot
	report   *triage.Report
	standing *cloud.Standing
	plan     *repair.Plan
	saved    []plan.Saved // by agents, of what the change destroys
}

// look reads the cluster and the cloud, and plans. Nothing here can change anything.
func (r *repairing) look(ctx context.Context) (*looked, error) {
	l, err := r.evidence()
	if err != nil {
		return nil, err
	}
	return l, r.complete(ctx, l)
}

// complete adds to the evidence what the cloud says right now, and plans.
func (r *repairing) complete(ctx context.Context, l *looked) error {
	subject := r.f.subject()
	if subject.Kind == "Node" && l.s.Node(subject.Name) == nil {
		return absentf(l.s, ofNodes, "%s node %s: %s", r.f.action, report.Clean(subject.Name), noSuchNode(l.s, subject.Name))
	}
	if len(r.src.files) == 0 {
		var err error
		if l.standing, err = r.inspect(ctx, l.s, r.f.action); err != nil {
			if unread := unreadNodes(l.s, string(r.f.action)+" "+report.Clean(r.f.target)); unread != nil {
				return unread
			}
			return fmt.Errorf("%s %s: %w", r.f.action, report.Clean(r.f.target), err)
		}
	}
	r.judge(l, l.at)
	return nil
}

func (r *repairing) evidence() (*looked, error) {
	s, err := r.src.all(r.cmd, r.k)
	if err != nil {
		return nil, err
	}
	return &looked{at: time.Now(), s: s, report: r.k.judge(s, time.Time{})}, nil
}

// judge plans by what was seen, as of a time on this machine's clock. The age of saved evidence is judged by the clock, that
// of a live reading by how long it is over: clocks differ.
func (r *repairing) judge(l *looked, now time.Time) {
	asOf := l.s.TakenAt().Add(now.Sub(l.at))
	if len(r.src.files) > 0 {
		asOf = now
	}
	opt := repair.Options{Action: r.f.action, Subject: r.f.subject(), Now: asOf, Standing: l.standing, Report: l.report, Board: scheduler.New, Count: r.f.count}
	for _, a := range r.f.accept {
		opt.Accept = append(opt.Accept, repair.GateName(a))
	}
	l.plan = repair.New(l.s, opt)
	l.plan.Bundle = execute.BundlePath(r.f.dir(), r.f.action, r.f.target, l.at)
	l.plan.Saved = l.saved
}

// askAgents adds to the plan what agents saved on the nodes whose running system ends.
func (r *repairing) askAgents(ctx context.Context, l *looked) (err error) {
	l.saved, err = r.src.saved(ctx, l.s, l.plan.Ends, r.f.dir())
	l.plan.Saved = l.saved
	return err
}

// inspect asks the cloud how what is to be changed stands; nil where nobody is logged in.
func (r *repairing) inspect(ctx context.Context, s *evidence.Snapshot, verb cloud.Verb) (*cloud.Standing, error) {
	if id := repair.ProviderID(s); id != "" {
		r.place = id
	}
	about, err := repair.About(s, r.f.subject(), cloud.About{Verb: verb, Like: r.f.like, Count: r.f.count, Own: r.f.own, ProviderID: r.place})
	if err != nil {
		return nil, err
	}
	var reader cloud.Inspector
	reader, err = azure.NewReader(r.src.cloud.azure)
	if errors.Is(err, azure.ErrNoCredentials) {
		return nil, nil
	}
	if err != nil {
		return nil, &usageError{err}
	}
	return reader.Inspect(ctx, about)
}

// dir is where journals and saved evidence are kept.
func (f *repairFlags) dir() string {
	if f.state != "" {
		return f.state
	}
	return stateDir()
}

// stateDir is where evidence and journals are kept if no other place is named.
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

// saveEvidence writes the bundle of what is there before anything is changed, and fetches what is on the nodes alone.
func (r *repairing) saveEvidence(l *looked) error {
	opt := bundle.Options{Tool: "nodetriage " + version}
	_, err := bundle.Save(r.cmd.Context(), l.plan.Bundle, false, l.s, r.src.texts, opt)
	if err != nil {
		return fmt.Errorf("save the evidence before the change: %w", err)
	}
	fmt.Fprintf(os.Stderr, "nodetriage: the evidence is saved as %s\n", l.plan.Bundle)
	return r.src.fetch(r.cmd.Context(), l.plan.Saved)
}

func writeLine(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }
