package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/cloud/providers"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/inventory"
	"github.com/nodetriage/nodetriage/nodemap"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/shell"
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
			if n.labels && len(n.columns) > 0 {
				return usagef("show labels: give --show-labels for all of them, or -L for some")
			}
			if len(args) == 1 && (n.labels || len(n.columns) > 0) {
				return usagef("show node %s: its labels are in the wide form: %s", args[0], shell.Format("nodetriage nodes {node} -o wide", args[0]))
			}
			if len(args) == 1 && (n.selector+n.fields != "" || n.odd) {
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
	n.out.register(cmd.Flags(), mapForms.names()...) // those of one node are the same
	cmd.Flags().StringVarP(&n.selector, "selector", "l", "", "only those with these `LABELS`, as pool=blue or zone!=a; not for one node")
	cmd.Flags().StringVar(&n.fields, "field-selector", "", "only those with these `FIELDS`, as spec.unschedulable=true or metadata.name!=worker-3")
	cmd.Flags().BoolVar(&n.labels, "show-labels", false, "all labels of each node; those of one node: -o wide")
	cmd.Flags().StringSliceVarP(&n.columns, "label-columns", "L", nil, "of each node the labels with these `KEYS`, as topology.kubernetes.io/zone,agentpool")
	cmd.Flags().BoolVar(&n.odd, "odd", false, "only those with something odd: not ready, cordoned, under pressure, or with a finding")
	watch.register(cmd.Flags())
	n.src.register(cmd.Flags())
	n.src.hide.register(cmd.Flags())
	n.src.cloud.register(cmd.Flags())
	return cmd
}

// nodesView is what the flags choose of the nodes.
type nodesView struct {
	know     knowledgeFlags
	out      outputFlags
	src      *sourceFlags
	selector string
	fields   string
	odd      bool
	labels   bool     // all of them
	columns  []string // those with these keys
}

func (v *nodesView) read(cmd *cobra.Command, args ...string) (input, error) {
	v.src.cloud.wanted = len(args) == 1 // the map of all nodes needs none of it
	return v.src.read(&v.out, &v.know, func(k *knowledge) (*evidence.Snapshot, error) { return v.src.snapshot(cmd, args, k) })
}

// one shows a node in detail.
func (v *nodesView) one(cmd *cobra.Command, arg string) error {
	in, err := v.read(cmd, arg)
	if err != nil {
		return err
	}
	name := nodeName(v.src.hide.args([]string{arg})[0])
	d := nodemap.NewDetail(in.snapshot, in.knowledge.judge(in.snapshot, in.at), name, in.at)
	if d == nil {
		return absentf(in.snapshot, ofNodes, "show node %s: %s", name, noSuchNode(in.snapshot, name))
	}
	d.AddMachine(in.snapshot, providers.Place(d.ProviderID), asking([]*evidence.Node{in.snapshot.Node(d.Node.Name)}).Machines)
	if err := nodeForms.write(cmd.OutOrStdout(), &v.out, detail{d, in.snapshot, in.knowledge}); err != nil {
		return err
	}
	return verdictCode(d.Verdict)
}

// all makes the map of the nodes that were chosen.
func (v *nodesView) all(cmd *cobra.Command) (*nodemap.Map, error) {
	in, err := v.read(cmd)
	if err != nil {
		return nil, err
	}
	chosen, err := v.chosen(in.snapshot)
	if err != nil {
		return nil, err
	}
	m := nodemap.New(in.snapshot, in.knowledge.judge(in.snapshot, in.at, chosen...), in.at)
	if chosen != nil {
		m.Keep(func(n *nodemap.Node) bool { return slices.Contains(chosen, n.Name) })
	}
	if v.odd {
		m.Keep((*nodemap.Node).Odd)
	}
	if v.labels || len(v.columns) > 0 {
		m.ShowLabels(in.snapshot, v.columns)
	}
	return m, nil
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

// chosen are the names of the nodes that the selectors choose; nil without one.
func (v *nodesView) chosen(s *evidence.Snapshot) ([]string, error) {
	if v.selector == "" && v.fields == "" {
		return nil, nil
	}
	byLabels, err := labels.Parse(v.selector)
	if err != nil {
		return nil, usagef("select nodes by %q: %w", v.selector, err)
	}
	byFields, err := inventory.ParseFields(v.fields, inventory.NodeFields)
	if err != nil {
		return nil, usagef("select nodes by %q: %w", v.fields, err)
	}
	var out []string
	for _, n := range s.Data().Nodes {
		if byLabels.Matches(labels.Set(n.Labels)) && byFields.Matches(inventory.FieldsOfNode(n)) {
			out = append(out, n.Name)
		}
	}
	if len(out) == 0 {
		return nil, usagef("select nodes by %q: none of %d is so", strings.TrimSpace(v.selector+" "+v.fields), len(s.Data().Nodes))
	}
	return out, nil
}
