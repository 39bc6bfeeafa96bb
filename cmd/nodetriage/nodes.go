package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/knowledge/shell"
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
	var watch watchFlags
	n := nodesView{src: newSourceFlags()}
	cmd := &cobra.Command{
		Use:   "nodes [NODE]",
		Short: "Show all nodes, or one node in detail",
		Long:  nodesHelp,
		Example: `  nodetriage nodes                          # the cluster of the current context
  nodetriage nodes worker-3                 # one node in detail; also node/worker-3
  nodetriage nodes -w                       # keep the screen up to date
  nodetriage nodes --odd                    # only those with something odd
  nodetriage nodes -l pool=blue -o name     # what a script goes over
  nodetriage nodes -L topology.kubernetes.io/zone  # a label of each node
  nodetriage nodes -f bundle.tar.gz         # from saved evidence
  nodetriage nodes -o html > nodes.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("nodes shows one node or all: got %s; for some of them choose by -l", strings.Join(args, " "))
			}
			if n.Labels && len(n.LabelKeys) > 0 {
				return usagef("show labels: give --show-labels for all of them, or -L for some")
			}
			if len(args) == 1 && (n.Labels || len(n.LabelKeys) > 0) {
				return usagef("show node %s: its labels are in the wide form: %s", args[0], shell.Format("nodetriage nodes {node} -o wide", args[0]))
			}
			if len(args) == 1 && (n.Selector+n.FieldSelector != "" || n.Odd) {
				return usagef("show node %s: leave out -l, --field-selector and --odd, which choose among all", args[0])
			}
			if err := watch.check(n.src, nil, &n.out); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			switch {
			case len(args) == 1:
				return n.one(cmd, args[0])
			case watch.on:
				return watch.run(cmd.Context(), w, &n.out, func() (look, error) { return n.look(cmd) })
			}
			m, err := n.all(cmd)
			if err != nil {
				return err
			}
			if err := mapForms.write(w, &n.out, m); err != nil {
				return err
			}
			return verdictCode(m.Verdict)
		},
	}
	n.know.register(cmd.Flags())
	n.out.register(cmd.Flags(), mapForms.names()...) // the flags for one node are the same
	cmd.Flags().StringVarP(&n.Selector, "selector", "l", "", "only those with these `LABELS`, as pool=blue or zone!=a; not for one node")
	cmd.Flags().StringVar(&n.FieldSelector, "field-selector", "", "only those with these `FIELDS`, as spec.unschedulable=true or metadata.name!=worker-3")
	cmd.Flags().BoolVar(&n.Labels, "show-labels", false, "all labels of each node; those of one node: -o wide")
	cmd.Flags().StringSliceVarP(&n.LabelKeys, "label-columns", "L", nil, "of each node the labels with these `KEYS`, as topology.kubernetes.io/zone,agentpool")
	cmd.Flags().BoolVar(&n.Odd, "odd", false, "only those with something odd: not ready, cordoned, under pressure, or with a finding")
	watch.register(cmd.Flags())
	n.src.register(cmd.Flags())
	n.src.hide.register(cmd.Flags())
	n.src.cloud.register(cmd.Flags())
	return cmd
}

// nodesView holds the flags that select nodes.
type nodesView struct {
	know knowledgeFlags
	out  outputFlags
	src  *sourceFlags
	ask.NodesOptions
}

// one shows a node in detail.
func (v *nodesView) one(cmd *cobra.Command, arg string) error {
	nodes, paths := split([]string{arg})
	from, err := v.src.from(cmd, &v.out, &v.know, paths...)
	if err != nil {
		return err
	}
	d, err := ask.Node(cmd.Context(), from, ask.NodeOptions{Name: nodeName(arg)})
	if err != nil {
		return orFile(err, nodes)
	}
	if err := nodeForms.write(cmd.OutOrStdout(), &v.out, detail{d, from.Knowledge}); err != nil {
		return err
	}
	return verdictCode(d.Verdict)
}

// all returns the map of the selected nodes.
func (v *nodesView) all(cmd *cobra.Command) (*nodes.Map, error) {
	from, err := v.src.from(cmd, &v.out, &v.know)
	if err != nil {
		return nil, err
	}
	return ask.Nodes(cmd.Context(), from, v.NodesOptions)
}

func (v *nodesView) look(cmd *cobra.Command) (look, error) {
	m, err := v.all(cmd)
	if err != nil {
		return look{}, err
	}
	out := look{
		page:  func(w io.Writer, s report.Style) error { return report.Map(w, m, s) },
		says:  report.MapInShort(m),
		facts: map[string]string{},
	}
	for _, g := range m.Groups {
		for _, n := range g.Nodes {
			out.facts[n.Name] = report.NodeInShort(n)
		}
	}
	return out, nil
}
