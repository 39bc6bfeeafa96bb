package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
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

// predictFlags are the flags of a scenario.
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

// options returns the options of the flags.
func (f *predictFlags) options(set *pflag.FlagSet, nodes []string) ask.PredictOptions {
	opt := ask.PredictOptions{Nodes: nodes, Zone: f.zone, Pool: f.pool, Event: predict.Event(f.event), Taint: f.taint, ManagerFlags: f.manager}
	if set.Changed("back-after") {
		opt.BackAfter = &f.back
	}
	if set.Changed("manager-restart") {
		opt.ManagerRestart = &f.restart
	}
	if set.Changed("toleration-seconds") {
		opt.TolerationSeconds = &f.seconds
	}
	if set.Changed("replicas") {
		opt.Replicas = &f.replicas
	}
	return opt
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
			from, err := src.from(cmd, &out, &knowledgeFlags{})
			if err != nil {
				return err
			}
			p, err := ask.Predict(cmd.Context(), from, f.options(cmd.Flags(), nodeNames(args)))
			if err != nil {
				return err
			}
			if err := forecastForms.write(cmd.OutOrStdout(), &out, p.Forecast); err != nil {
				return err
			}
			return forecastCode(p.Snapshot, p.Forecast)
		},
	}
	f.register(cmd.Flags())
	out.register(cmd.Flags(), forecastForms.names()...)
	src.register(cmd.Flags())
	return cmd
}

func forecastCode(s *evidence.Snapshot, f *predict.Forecast) error {
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
		if p.Fate == predict.Lost {
			return exitProblem
		}
	}
	if outage {
		return exitWarnings
	}
	return nil
}
