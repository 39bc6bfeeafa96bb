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

const upgradeHelp = `Simulate the rolling replacement of a pool's nodes from end to end, without
changing anything: in which order nodes go, how long it takes, the node at which it
gets stuck and why, what to change first, how many pods are Pending at the worst
moment, and what the added nodes need of quota and subnet.

Nodes are replaced as AKS, EKS or GKE do it, which the pool's labels tell, by a
second pool as GKE does when told to (gke-blue-green), or one by one with a new
node for each (plain). The settings are those of the pool where
the evidence has them (on Azure, or with the output of az aks nodepool show among
the files), then the flags', then the provider's defaults; assumptions are listed.
Pods move from step to step: they compete for room as the scheduler would place
them, and share their budgets.

It only plans. The upgrade itself is the provider's: az aks nodepool upgrade,
eksctl upgrade nodegroup, gcloud container clusters upgrade, or kubectl.

Exit codes: 0 the plan is clear, or only slow, 1 the tool failed, 2 bad usage or
unreadable input, 3 it gets stuck, or pods are lost or stay Pending, 4 it
gets stuck only if pods take long, 5 not enough evidence to judge.`

// upgradeFlags are the settings of the upgrade.
type upgradeFlags struct {
	plan           bool
	style          string
	surge          string
	maxUnavailable string
	drainTimeout   time.Duration
	soak           time.Duration
	undrainable    string
	nodeStart      string
}

func (f *upgradeFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.plan, "plan", false, "show the plan; it is all that upgrade does")
	set.StringVar(&f.style, "style", "", "replace nodes in the `STYLE` of aks, eks, gke, gke-blue-green or plain; without it the labels tell")
	set.StringVar(&f.surge, "surge", "", "`NODES` that are added for the time of the upgrade, a number or a percentage")
	set.StringVar(&f.maxUnavailable, "max-unavailable", "", "`NODES` that may be away at a time, a number or a percentage")
	set.DurationVar(&f.drainTimeout, "drain-timeout", 0, "give up the drain of a node after this `TIME`; 0: never")
	set.DurationVar(&f.soak, "soak", 0, "wait this `TIME` between the end of a drain and the replacement")
	set.StringVar(&f.undrainable, "undrainable", "", "what becomes of a node that does not become empty, `schedule|cordon|force`; AKS has the first two, EKS the last")
	set.StringVar(&f.nodeStart, "node-start", "", "`TIME` until a new node takes pods, such as 3m or 2m-8m")
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
	var err1, err2 error
	opt.NodeStart.From, err1 = time.ParseDuration(from)
	opt.NodeStart.To, err2 = time.ParseDuration(to)
	span := opt.NodeStart.From >= 0 && opt.NodeStart.From <= opt.NodeStart.To && opt.NodeStart.To > 0
	if err1 != nil || err2 != nil || !span {
		return opt, usagef("node-start %q: use a time like 3m, or a span like 2m-8m", f.nodeStart)
	}
	return opt, nil
}

func newUpgrade() *cobra.Command {
	var out outputFlags
	var f upgradeFlags
	src := newSourceFlags()
	src.long = true
	cmd := &cobra.Command{
		Use:   "upgrade POOL --plan",
		Short: "Plan the rolling replacement of a pool",
		Long:  upgradeHelp,
		Example: `  nodetriage upgrade np1 --plan                     # the pool's own settings, or the defaults
  nodetriage upgrade np1 --plan --surge 33%
  nodetriage upgrade np1 --plan --max-unavailable 1 # in place, without added nodes
  nodetriage upgrade np1 --plan -o html > plan.html  # with a lane for each node
  nodetriage upgrade np1 --plan -f bundle.tar.gz -f nodepool.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("upgrade: name one pool; %s --help shows how", cmd.CommandPath())
			}
			if !f.plan {
				return usagef("upgrade only plans: add --plan. The upgrade itself is the provider's to carry out: az aks nodepool upgrade, " +
					"eksctl upgrade nodegroup, gcloud container clusters upgrade; nodetriage drain empties single nodes")
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
