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

const nodesHelp = `List nodes by pool and zone. The columns show the state and its duration, the
heartbeat, who cordoned the node, versions, pods, requests and usage, and the
findings of diagnose.

The nodes of one pool and zone form a group. A value that is the same for the
whole group, such as the version, is shown once. Nodes that differ from their
group are marked with "!". In a large cluster, only nodes with problems get a
row (-o wide shows all). FREE is allocatable minus the requests of the pods
(CPU / memory / pods / devices). The totals of a group and of the cluster
include only nodes that are Ready and not cordoned.

With NODE, show one node: conditions, taints, resources and usage, pods,
DaemonSets, events, node pool and kubelet. The output also shows the VM:
resource group, scale set, instance, size, image, power state, provisioning
state, extensions and scheduled events. -o wide adds the labels of the node, and
for each pod its tolerations, priority and volumes.

Exit codes are the same as for diagnose.`

func newNodes() *cobra.Command {
	var watch watchFlags
	n := nodesView{src: newSourceFlags()}
	cmd := &cobra.Command{
		Use:     "nodes [NODE]",
		Aliases: []string{"node", "no"},
		Short:   "List nodes, or show one node in detail",
		Long:    nodesHelp,
		Example: `  nodetriage nodes                          # the cluster of the current context
  nodetriage nodes worker-3                 # one node in detail; same as: nodes node/worker-3
  nodetriage nodes -w                       # refresh after each change
  nodetriage nodes --problems               # only nodes with problems
  nodetriage nodes -l pool=blue -o name     # for scripts
  nodetriage nodes -L topology.kubernetes.io/zone  # a label as a column
  nodetriage nodes -f bundle.tar.gz         # from saved evidence
  nodetriage nodes -o html > nodes.html`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				args = nodeNames(args)
			}
			if err := n.check(args); err != nil {
				return err
			}
			if err := watch.check(n.src, nil, &n.out); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			switch {
			case len(args) == 1:
				return n.one(cmd, args[0])
			case watch.on:
				wake, err := n.src.follow(cmd.Context())
				if err != nil {
					return err
				}
				watch.wake, watch.errors = wake, cmd.ErrOrStderr()
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
	cmd.Flags().StringVarP(&n.Selector, "selector", "l", "", "`LABELS` Filter by labels, such as pool=blue,zone!=a.")
	cmd.Flags().StringVar(&n.FieldSelector, "field-selector", "", "`FIELDS` Filter by fields, such as spec.unschedulable=true,metadata.name!=worker-3.")
	cmd.Flags().BoolVar(&n.Labels, "show-labels", false, "Show all labels of each node in the list. For one node, use -o wide instead.")
	cmd.Flags().StringSliceVarP(&n.LabelKeys, "label-columns", "L", nil, "`KEYS` Show these labels as columns, such as topology.kubernetes.io/zone,agentpool.")
	registerProblems(cmd.Flags(), &n.Odd, "Show only nodes with problems: not Ready, cordoned, under pressure, or with findings.")
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

// check returns an error if the arguments and flags do not fit together.
func (v *nodesView) check(args []string) error {
	labels := v.Labels || len(v.LabelKeys) > 0
	filters := v.Selector+v.FieldSelector != "" || v.Odd
	switch one := len(args) == 1; {
	case len(args) > 1:
		return hintf("select nodes with -l", "nodes shows one node or all, and got %s", strings.Join(args, " "))
	case v.Labels && len(v.LabelKeys) > 0:
		return hintf("leave one of them out", "--show-labels cannot be combined with --label-columns")
	case one && labels:
		return hintf(string(shell.Format("nodetriage nodes {node} -o wide", args[0]))+" shows its labels", "--show-labels and --label-columns are not for one node")
	case one && filters:
		return hintf("leave them out", "-l, --field-selector and --problems cannot be combined with the name of a node")
	}
	return nil
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
		whole: func(w io.Writer) error { return mapForms.print(w, &v.out, m) },
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
