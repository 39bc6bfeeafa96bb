package ask

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// NodesOptions are the options of Nodes.
type NodesOptions struct {
	// Selector chooses nodes by labels, as kubectl does: pool=blue, zone!=a. Empty: all.
	Selector string
	// FieldSelector chooses nodes by fields, as kubectl does: spec.unschedulable=true. Empty: all.
	FieldSelector string
	// Odd selects only unusual nodes: NotReady, cordoned, under pressure, or with a finding.
	Odd bool
	// Labels shows all labels of each node.
	Labels bool
	// LabelKeys are the labels to show of each node.
	LabelKeys []string
}

// Nodes returns the map of all nodes, or of the selected ones.
func Nodes(ctx context.Context, from From, opt NodesOptions) (*nodes.Map, error) {
	l, err := from.look(ctx, need{})
	if err != nil {
		return nil, err
	}
	chosen, err := opt.chosen(l.snapshot)
	if err != nil {
		return nil, err
	}
	m := nodes.New(l.snapshot, from.Knowledge.Judge(l.snapshot, from.At, chosen...), from.At)
	if chosen != nil {
		m.Keep(func(n *nodes.Node) bool { return slices.Contains(chosen, n.Name) })
	}
	if opt.Odd {
		m.Keep((*nodes.Node).Odd)
	}
	if opt.Labels || len(opt.LabelKeys) > 0 {
		m.ShowLabels(l.snapshot, opt.LabelKeys)
	}
	return m, nil
}

// chosen returns the names of the nodes that match the selectors; nil without a selector.
func (opt *NodesOptions) chosen(s *evidence.Snapshot) ([]string, error) {
	if opt.Selector == "" && opt.FieldSelector == "" {
		return nil, nil
	}
	byLabels, err := labels.Parse(opt.Selector)
	if err != nil {
		return nil, usagef("invalid selector %q: %w", opt.Selector, err)
	}
	byFields, err := lists.ParseFields(opt.FieldSelector, lists.NodeFields)
	if err != nil {
		return nil, usagef("invalid field selector %q: %w", opt.FieldSelector, err)
	}
	var out []string
	for _, n := range s.Data().Nodes {
		if byLabels.Matches(labels.Set(n.Labels)) && byFields.Matches(lists.FieldsOfNode(n)) {
			out = append(out, n.Name)
		}
	}
	if len(out) == 0 {
		return nil, usagef("no node matches selector %q (%s)", strings.TrimSpace(opt.Selector+" "+opt.FieldSelector), wording.Count(len(s.Data().Nodes), "node"))
	}
	return out, nil
}
