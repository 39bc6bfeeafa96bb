package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/simulate"
)

const predictHelp = `Forecast what happens to every pod of a node after an event, minute by minute:
when the node counts as lost, when its pods stop getting traffic, are deleted, are
replaced and fit elsewhere, when volumes follow, and what never happens by itself.
Times are intervals: what cannot be known beforehand is not guessed.

The events are power-off, kubelet-stop, partition, reboot (with --back-after),
delete (of the Node object), out-of-service (its taint), taint (with --taint),
shutdown (the kubelet ends its pods first), delete-pods and force-delete.
Without --event the node must already be down: then times are clock times, and
what can be done is shown side by side with its danger.

Nodes that fail together share the limits of the control plane: name them all, or
a --zone or a --pool.

Exit codes: 0 every pod that has a controller keeps running or is recreated, 1 the
tool failed, 2 bad usage or unreadable input, 3 something is not recreated by
itself, 4 it is, but a workload is without pods in the meantime, 5 the evidence has
no pods, or something that the forecast rests on was not read, or in part.`

// predictFlags are a scenario in the words of the command line.
type predictFlags struct {
	event, zone, pool, taint string
	back                     time.Duration
	seconds                  int64
	replicas                 int
	manager                  map[string]string
	restart                  time.Duration
}

func (f *predictFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.event, "event", "", "what happens: power-off, kubelet-stop, partition, reboot, delete, out-of-service, taint, shutdown, delete-pods or force-delete; without this `EVENT` the node is down already")
	set.DurationVar(&f.back, "back-after", 0, "the node returns after this `TIME`: since the event, or from now on if it is down")
	set.StringVar(&f.zone, "zone", "", "all nodes of this `ZONE`")
	set.StringVar(&f.pool, "pool", "", "all nodes of this `POOL`")
	set.StringVar(&f.taint, "taint", "", "the `TAINT` of --event taint: key=value:NoExecute")
	set.Int64Var(&f.seconds, "toleration-seconds", 0, "what if pods tolerated a lost node for `N` seconds")
	set.StringToStringVar(&f.manager, "manager-flags", nil, "`FLAGS` of kube-controller-manager that differ from its defaults: node-monitor-grace-period=20s,node-eviction-rate=0.5")
	set.DurationVar(&f.restart, "manager-restart", 0, "kube-controller-manager ends after this `TIME`, and another one takes the lead")
	set.IntVar(&f.replicas, "replicas", 0, "what if each workload wanted `N` replicas")
}

// scenario is what the flags ask for, on the nodes that they choose from the evidence.
func (f *predictFlags) scenario(set *pflag.FlagSet, s *evidence.Snapshot, names []string) (simulate.Scenario, error) {
	sc := simulate.Scenario{Nodes: names, Event: simulate.AlreadyDown, ManagerFlags: f.manager}
	if f.event != "" {
		sc.Event = simulate.Event(f.event)
	}
	if set.Changed("back-after") {
		sc.BackAfter = &f.back
	}
	if set.Changed("manager-restart") {
		sc.ManagerRestart = &f.restart
	}
	if set.Changed("toleration-seconds") {
		sc.TolerationSeconds = &f.seconds
	}
	if set.Changed("replicas") {
		sc.Replicas = &f.replicas
	}
	if f.taint != "" {
		t, err := simulate.ParseTaint(f.taint)
		if err != nil {
			return sc, &usageError{err}
		}
		sc.Taint = t
	}
	if f.zone != "" || f.pool != "" {
		found := f.choose(s)
		if len(found) == 0 {
			return sc, usagef("predict: the evidence has no node%s; nodetriage nodes shows zones and pools", f.chosen())
		}
		sc.Group = found
	}
	if len(sc.Nodes)+len(sc.Group) == 0 {
		return sc, usagef("predict: name a NODE, or all nodes of a --zone or --pool")
	}
	for _, n := range sc.Nodes {
		if s.Node(n) == nil {
			return sc, absentf(s, ofNodes, "predict node %s: %s", report.Clean(n), noSuchNode(s, n))
		}
	}
	return sc, nil
}

// chosen says what the flags ask of a node.
func (f *predictFlags) chosen() string {
	var out string
	if f.event == "" {
		out += " that is down"
	}
	if f.zone != "" {
		out += fmt.Sprintf(" in zone %q", f.zone)
	}
	if f.pool != "" {
		out += fmt.Sprintf(" of pool %q", f.pool)
	}
	return out
}

// choose lists the nodes of the zone and pool. Of nodes that are down already only those are meant that are.
func (f *predictFlags) choose(s *evidence.Snapshot) []string {
	var out []string
	for _, n := range s.Data().Nodes {
		_, pool := n.PoolLabel()
		if (f.zone == "" || simulate.ZoneOf(n) == f.zone) && (f.pool == "" || pool == f.pool) && (f.event != "" || n.NotReady()) {
			out = append(out, n.Name)
		}
	}
	return out
}

func newPredict() *cobra.Command {
	var out outputFlags
	var f predictFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "predict [NODE...]",
		Short: "Forecast what happens to the pods of a node",
		Long:  predictHelp,
		Example: `  nodetriage predict worker-3 --event power-off
  nodetriage predict worker-3 --event reboot --back-after 200s
  nodetriage predict --zone westeurope-1 --event power-off
  nodetriage predict worker-3               # it is down: what comes next, what to do
  nodetriage predict worker-3 --event power-off --toleration-seconds 30
  nodetriage predict worker-3 -f bundle.tar.gz -o html > worker-3.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.event != "" && !slices.Contains(simulate.Events, simulate.Event(f.event)) {
				return usagef("predict event %q: %s", f.event, oneOf(f.event, simulate.Events))
			}
			in, err := src.read(&out, &knowledgeFlags{}, func(k *knowledge) (*evidence.Snapshot, error) {
				if f.zone != "" || f.pool != "" {
					return src.all(cmd, k)
				}
				return src.evacuation(cmd, nodeNames(args), k)
			})
			if err != nil {
				return err
			}
			forecast, err := placed(cmd, src, &in, func(s *evidence.Snapshot, board placement.Open) (*simulate.Forecast, error) {
				sc, err := f.scenario(cmd.Flags(), s, nodeNames(args))
				if err != nil {
					return nil, err
				}
				sc.At, sc.Board = in.at, board
				forecast, err := simulate.New(s, sc)
				if err != nil {
					return nil, &usageError{err}
				}
				return forecast, nil
			})
			if err != nil {
				return err
			}
			if err := forecastForms.write(cmd.OutOrStdout(), &out, forecast); err != nil {
				return err
			}
			return forecastCode(in.snapshot, forecast)
		},
	}
	f.register(cmd.Flags())
	out.register(cmd.Flags(), forecastForms.names()...)
	src.register(cmd.Flags())
	return cmd
}

func forecastCode(s *evidence.Snapshot, f *simulate.Forecast) error {
	if s.Covers(evidence.Pods) == evidence.NotRead || len(f.NotChecked) > 0 {
		return exitUnclear
	}
	outage := false
	for _, w := range f.Workloads {
		if w.RestoredAt == nil && w.Elsewhere < w.Wanted {
			return exitProblem
		}
		outage = outage || w.Outage
	}
	for _, p := range f.Pods {
		if p.Fate == simulate.Lost {
			return exitProblem
		}
	}
	if outage {
		return exitWarnings
	}
	return nil
}
