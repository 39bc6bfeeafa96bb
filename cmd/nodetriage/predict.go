package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
)

const predictHelp = `Forecast what happens to every pod of a node after an event. The timeline shows
when:

  - the node becomes NotReady
  - its pods lose traffic, are deleted, and are recreated on other nodes
  - volumes are detached

The output also lists everything that never recovers without intervention. Times
are ranges, because some delays cannot be predicted.

Events (--event):

  power-off      the machine loses power
  kubelet-stop   the kubelet stops
  partition      the node loses its network connection
  reboot         the node reboots; --back-after sets when it is back
  shutdown       graceful node shutdown: the kubelet terminates the pods, then
                 the machine stops. If the kubelet is not configured for it,
                 this is a power-off
  delete         the Node object is deleted
  out-of-service the taint node.kubernetes.io/out-of-service is added
  taint          the taint of --taint is added
  delete-pods    all pods of the node are deleted
  force-delete   all pods of the node are force-deleted

Without --event, the node must already be down. In this case, the timeline shows
clock times, and the output lists the possible actions and the risk of each.

The control plane limits the eviction rate: pods of several failed nodes are
evicted node after node. To include this delay, pass all failing nodes, or use
--zone or --pool.

Exit codes:

  0  each workload always has a Ready pod, and no pod is deleted for good
  1  internal error
  2  bad usage or unreadable input
  3  a pod is deleted for good (no controller recreates it), or a workload does
     not get all its pods back automatically
  4  as 0, but a workload has no Ready pod for some time
  5  not enough evidence`

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
	set.StringVar(&f.event, "event", "", "`EVENT` Event to forecast: power-off, kubelet-stop, partition, reboot, delete, out-of-service, taint, shutdown, delete-pods or force-delete. Without --event, the node must already be down.")
	set.DurationVar(&f.back, "back-after", 0, "`DURATION` Assume that the node is back after this time, counted from the event (or from now, if the node is already down).")
	set.StringVar(&f.zone, "zone", "", "`ZONE` Forecast for all nodes of this zone.")
	set.StringVar(&f.pool, "pool", "", "`POOL` Forecast for all nodes of this node pool.")
	set.StringVar(&f.taint, "taint", "", "`TAINT` Taint to add with --event taint, such as key=value:NoExecute.")
	set.Int64Var(&f.seconds, "toleration-seconds", 0, "`SECONDS` Assume that pods tolerate an unreachable node for this time.")
	set.StringToStringVar(&f.manager, "manager-flags", nil, "`FLAGS` Non-default flags of kube-controller-manager, such as node-monitor-grace-period=20s,node-eviction-rate=0.5.")
	set.DurationVar(&f.restart, "manager-restart", 0, "`DURATION` Assume that the active kube-controller-manager fails this long after the event, such as 30s. Another instance takes over when it acquires the leader Lease.")
	set.IntVar(&f.replicas, "replicas", 0, "`N` Assume that each Deployment, ReplicaSet and StatefulSet has N replicas. Added replicas count as Ready on other nodes if one new pod fits there. To see whether all of them fit, use nodetriage why deploy/NAME --replicas N.")
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
  nodetriage predict worker-3               # the node is down: what happens next
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
