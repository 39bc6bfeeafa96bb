package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/plan"
	"github.com/nodetriage/nodetriage/report"
)

const drainHelp = `Plan how to empty nodes: what becomes of every pod, what is in the way and how to
get it out of the way with the least harm, in which order pods go under their
disruption budgets, how long it takes, and what the cordon does besides. Budgets
are shared by all the nodes that are named. It changes nothing.

A pod that would be lost, or would lose data, blocks the plan until --accept names
what is to be accepted: unmanaged, local-data, local-volume, no-room.

Exit codes: 0 the way is clear, or only slow, 1 the tool failed, 2 bad usage or
unreadable input, 3 the plan is blocked, 5 not enough evidence to judge.`

// drainFlags say what a plan takes for granted.
type drainFlags struct {
	plan    bool
	accept  []string
	suspend []string
	surge   bool
}

func (f *drainFlags) register(set *pflag.FlagSet) {
	set.BoolVar(&f.plan, "plan", false, "only show the plan")
	set.StringSliceVar(&f.accept, "accept", nil, "evict pods in spite of this `KIND` of blocker: unmanaged, local-data, local-volume, no-room (repeatable)")
	set.StringSliceVar(&f.suspend, "suspend-pdb", nil, "put this budget out of force during the drain: NAMESPACE/`NAME`, or its name (repeatable)")
	set.BoolVar(&f.surge, "surge", false, "start a second replica before the only one of a Deployment goes")
}

// options are the plan's, for these nodes.
func (f *drainFlags) options(nodes []string) (plan.Options, error) {
	opt := plan.Options{Nodes: nodes, Suspend: f.suspend, Surge: f.surge}
	for _, a := range f.accept {
		if !slices.Contains(plan.Consents, plan.Kind(a)) {
			return opt, usagef("accept %q: use one of %s", a, joinKinds(plan.Consents))
		}
		opt.Accept = append(opt.Accept, plan.Kind(a))
	}
	return opt, nil
}

func joinKinds(list []plan.Kind) string {
	var out []string
	for _, k := range list {
		out = append(out, string(k))
	}
	return strings.Join(out, ", ")
}

func newDrain() *cobra.Command {
	var out outputFlags
	var f drainFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "drain NODE... --plan",
		Short: "Plan how to empty nodes",
		Long:  drainHelp,
		Example: `  nodetriage drain worker-3 --plan          # what would happen, and what is in the way
  nodetriage drain worker-3 worker-4 --plan # budgets are shared by both
  nodetriage drain worker-3 --plan -f bundle.tar.gz
  nodetriage drain worker-3 --plan -o json`,
		Args: atLeast(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if !f.plan {
				return usagef("drain: say --plan to see what would happen")
			}
			d, err := f.read(cmd, src, args)
			if err != nil {
				return err
			}
			if err := writeDrain(cmd.OutOrStdout(), &out, d); err != nil {
				return err
			}
			return drainCode(d.Verdict)
		},
	}
	f.register(cmd.Flags())
	out.register(cmd.Flags(), "wide", "json", "yaml")
	src.register(cmd.Flags())
	return cmd
}

// read makes the plan from the evidence: of the whole cluster, for budgets and room are shared by all nodes.
func (f *drainFlags) read(cmd *cobra.Command, src *sourceFlags, nodes []string) (*plan.Drain, error) {
	slices.Sort(nodes)
	opt, err := f.options(slices.Compact(nodes))
	if err != nil {
		return nil, err
	}
	if opt.Now, err = src.time(); err != nil {
		return nil, err
	}
	var know knowledgeFlags
	k, err := know.load()
	if err != nil {
		return nil, err
	}
	s, err := src.all(cmd, k)
	if err != nil {
		return nil, err
	}
	for _, n := range opt.Nodes {
		if s.Node(n) == nil {
			return nil, usagef("plan the drain of node %s: %s", report.Clean(n), noSuchNode(s, n))
		}
	}
	d, err := plan.NewDrain(s, opt)
	if err != nil {
		return nil, &usageError{err}
	}
	return d, nil
}

func writeDrain(w io.Writer, out *outputFlags, d *plan.Drain) error {
	switch out.format {
	case "json":
		return report.JSON(w, d)
	case "yaml":
		return report.YAML(w, d)
	case "", "wide":
		return report.Drain(w, d, out.style(w))
	}
	return fmt.Errorf("write %s: no such form", out.format)
}

func drainCode(v plan.Verdict) error {
	switch v {
	case plan.Blocked:
		return exitProblem
	case plan.Unclear:
		return exitUnclear
	}
	return nil
}
