package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/ask"
)

const upgradeHelp = `Simulate the rolling upgrade of a node pool, without changing anything. The
output shows the order of the nodes, the duration, where and why the upgrade
gets stuck, and what to change before the upgrade. It also shows the maximum
number of Pending pods, and the quota and the subnet addresses that surge nodes
need.

--style sets how nodes are replaced. By default, nodetriage detects the style
from the labels of the nodes:

  aks, eks, gke    like the managed upgrade of the provider
  gke-blue-green   with a second set of nodes (a blue-green upgrade of GKE)
  plain            one node after the other, with a surge node

nodetriage reads the settings of the pool from Azure, or from saved output of
az aks nodepool show. Without these settings, the defaults of the provider
apply. Flags override both. The output lists all assumptions. The simulation
places evicted pods like the scheduler, and respects PodDisruptionBudgets.

To carry out the upgrade, use az aks nodepool upgrade, eksctl upgrade nodegroup
or gcloud container clusters upgrade CLUSTER --node-pool POOL.

Exit codes:

  0  the upgrade finishes, although it may take long
  1  internal error
  2  bad usage or unreadable input
  3  the upgrade gets stuck, pods are deleted for good, or pods stay Pending
  4  the upgrade finishes only if pods terminate and start fast enough
  5  not enough evidence`

// upgradeFlags are the settings of the upgrade.
type upgradeFlags struct {
	style          string
	surge          string
	maxUnavailable string
	drainTimeout   time.Duration
	soak           time.Duration
	undrainable    string
	nodeStart      string
}

func (f *upgradeFlags) register(set *pflag.FlagSet) {
	set.Bool("plan", true, "Always on: upgrade shows the plan and changes nothing.")
	set.StringVar(&f.style, "style", "", "`STYLE` Upgrade strategy: "+upgrade.StyleNames()+". Default: detected from labels.")
	set.StringVar(&f.surge, "surge", "", "`NODES` Nodes added during the upgrade: a number or a percentage.")
	set.StringVar(&f.maxUnavailable, "max-unavailable", "", "`NODES` Nodes that may be unavailable at the same time: a number or a percentage.")
	set.DurationVar(&f.drainTimeout, "drain-timeout", 0, "`DURATION` Drain timeout per node. 0 means no limit.")
	set.DurationVar(&f.soak, "soak", 0, "`DURATION` Wait this long between the drain of a node and its replacement.")
	set.StringVar(&f.undrainable, "undrainable", "", "`BEHAVIOR` What happens to a node that cannot be drained. AKS (undrainableNodeBehavior): schedule (the upgrade fails and the node is uncordoned) or cordon (the node stays cordoned and the upgrade continues). EKS: force (the node is replaced anyway).")
	set.StringVar(&f.nodeStart, "node-start", "", "`DURATION` Time until a new node accepts pods, such as 3m or 2m-8m.")
}

// options returns the options of the plan. Values without a flag stay unset.
func (f *upgradeFlags) options(set *pflag.FlagSet, pool string) (ask.UpgradeOptions, error) {
	opt := ask.UpgradeOptions{Pool: pool, Style: upgrade.Style(f.style), Surge: f.surge, MaxUnavailable: f.maxUnavailable, Undrainable: f.undrainable}
	if set.Changed("drain-timeout") {
		opt.DrainTimeout = &f.drainTimeout
	}
	if set.Changed("soak") {
		opt.Soak = &f.soak
	}
	if f.nodeStart == "" {
		return opt, nil
	}
	from, to, two := strings.Cut(f.nodeStart, "-")
	if !two {
		to = from
	}
	err1 := opt.NodeStart.From.UnmarshalText([]byte(from))
	err2 := opt.NodeStart.To.UnmarshalText([]byte(to))
	span := opt.NodeStart.From >= 0 && opt.NodeStart.From <= opt.NodeStart.To && opt.NodeStart.To > 0
	if err1 != nil || err2 != nil || !span {
		return opt, hintf("use a duration like 3m, or a range like 2m-8m", "invalid value %q for --node-start", f.nodeStart)
	}
	return opt, nil
}

func newUpgrade() *cobra.Command {
	var out outputFlags
	var f upgradeFlags
	src := newSourceFlags()
	src.long = true
	cmd := &cobra.Command{
		Use:   "upgrade POOL",
		Short: "Simulate the rolling upgrade of a node pool",
		Long:  upgradeHelp,
		Example: `  nodetriage upgrade np1                          # with the settings of the pool
  nodetriage upgrade np1 --surge 33%
  nodetriage upgrade np1 --max-unavailable 1      # in place, without surge nodes
  nodetriage upgrade np1 -o html > plan.html      # a timeline with one row per node
  nodetriage upgrade np1 -f bundle.tar.gz -f nodepool.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return hintf("nodetriage upgrade POOL", "upgrade: one pool is required")
			}
			opt, err := f.options(cmd.Flags(), args[0])
			if err != nil {
				return err
			}
			from, err := src.from(cmd, &out, &knowledgeFlags{})
			if err != nil {
				return err
			}
			u, err := ask.Upgrade(cmd.Context(), from, opt)
			if err != nil {
				return err
			}
			if err := upgradeForms.write(cmd.OutOrStdout(), &out, u); err != nil {
				return err
			}
			return upgradeCode(u)
		},
	}
	f.register(cmd.Flags())
	out.register(cmd.Flags(), upgradeForms.names()...)
	src.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	return cmd
}

func upgradeCode(u *upgrade.Plan) error {
	if err := exitFor(u.Verdict, map[plan.Verdict]exitCode{plan.Blocked: exitProblem, plan.Harmful: exitProblem, plan.Unclear: exitUnclear}); err != nil {
		return err
	}
	if len(u.Stuck) > 0 {
		return exitWarnings
	}
	return nil
}
