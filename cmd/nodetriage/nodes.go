package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/cloud/providers"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodemap"
	"github.com/nodetriage/nodetriage/report"
)

const nodesHelp = `Show all nodes on one screen: state and since when, heartbeat, cordon and by
whom, versions, pods, requested and used of allocatable, and what diagnose
found. Nodes are grouped by pool and zone; what a whole group shares is shown
once, and a node that differs is marked. In a large cluster only odd nodes get a
line (-o wide shows all).

With NODE: everything that matters about one node: its conditions with their
polarity and age, taints, resources and use, all pods, DaemonSets, events, how
the rest of its pool is, its kubelet, and the machine behind it: group, set,
instance, size, image, power, state, what runs inside, what its cloud announced.
-o wide adds the labels, and of each pod tolerations, priority and volumes.

Exit codes are those of diagnose; where a node is ailing they never say that
nothing is wrong.`

func newNodes() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var selector string
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "nodes [NODE]",
		Short: "Show all nodes, or one node in detail",
		Long:  nodesHelp,
		Example: `  nodetriage nodes                          # the cluster of the current context
  nodetriage nodes worker-3                 # one node in detail; also node/worker-3
  nodetriage nodes -l pool=blue -o name     # what a script goes over
  nodetriage nodes -f bundle.tar.gz         # from saved evidence
  nodetriage nodes -o html > nodes.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("nodes shows one node or all: got %s", strings.Join(args, " "))
			}
			if len(args) == 1 && selector != "" {
				return usagef("show node %s: leave -l out, which chooses among all", args[0])
			}
			src.cloud.wanted = len(args) == 1 // the map of all nodes needs none of it
			in, err := src.read(&out, &know, func(k *knowledge) (*evidence.Snapshot, error) { return src.snapshot(cmd, args, k) })
			if err != nil {
				return err
			}
			s, k := in.snapshot, in.knowledge
			args = src.hide.args(args)
			chosen, err := withLabels(s, selector)
			if err != nil {
				return err
			}
			r := k.judge(s, in.at, chosen...)
			if len(args) == 1 {
				name := nodeName(args[0])
				d := nodemap.NewDetail(s, r, name, in.at)
				if d == nil {
					return usagef("show node %s: %s", name, noSuchNode(s, name))
				}
				d.AddMachine(s, providers.Place(d.ProviderID), asking(s).Machines)
				if err := nodeForms.write(cmd.OutOrStdout(), &out, detail{d, s, k}); err != nil {
					return err
				}
				return verdictCode(d.Verdict)
			}
			m := nodemap.New(s, r, in.at)
			if selector != "" {
				m.Keep(func(node string) bool { return slices.Contains(chosen, node) })
			}
			if err := mapForms.write(cmd.OutOrStdout(), &out, m); err != nil {
				return err
			}
			return verdictCode(m.Verdict)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), mapForms.names()...) // those of one node are the same
	cmd.Flags().StringVarP(&selector, "selector", "l", "", "only those with these `LABELS`, as pool=blue or zone!=a; not for one node")
	src.register(cmd.Flags())
	src.hide.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	return cmd
}

// noSuchNode says what the evidence has instead.
func noSuchNode(s *evidence.Snapshot, name string) string {
	var names []string
	for _, n := range s.Data().Nodes {
		names = append(names, n.Name)
	}
	if len(names) == 0 {
		for _, g := range s.Data().Gaps {
			if g.What == string(evidence.Nodes) {
				return "the nodes could not be read: " + report.Clean(g.Why) + "; " + report.Clean(g.How)
			}
		}
		return "the evidence has no nodes; add the output of kubectl get nodes -o yaml"
	}
	if near := nearest(name, names); near != "" {
		return "the evidence does not have it; did you mean " + report.Clean(near) + "?"
	}
	return "the evidence does not have it; nodetriage nodes lists those that it has"
}

// withLabels are the names of the nodes that a selector chooses; nil without one.
func withLabels(s *evidence.Snapshot, selector string) ([]string, error) {
	if selector == "" {
		return nil, nil
	}
	by, err := labels.Parse(selector)
	if err != nil {
		return nil, usagef("select nodes by %q: %w", selector, err)
	}
	var out []string
	for _, n := range s.Data().Nodes {
		if by.Matches(labels.Set(n.Labels)) {
			out = append(out, n.Name)
		}
	}
	if len(out) == 0 {
		return nil, usagef("select nodes by %q: none of %d has these labels", selector, len(s.Data().Nodes))
	}
	return out, nil
}
