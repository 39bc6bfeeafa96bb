package ask

import (
	"context"
	"slices"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/evidence"
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
	if opt.Selector+opt.FieldSelector != "" || opt.Odd {
		m.Hidden, m.Filters = len(l.snapshot.Data().Nodes)-m.Nodes, opt.filters()
	}
	if opt.Labels || len(opt.LabelKeys) > 0 {
		m.ShowLabels(l.snapshot, opt.LabelKeys)
	}
	return m, nil
}

// filters returns the flags that hide nodes.
func (opt *NodesOptions) filters() (out []string) {
	if opt.Selector != "" {
		out = append(out, "-l "+opt.Selector)
	}
	if opt.FieldSelector != "" {
		out = append(out, "--field-selector "+opt.FieldSelector)
	}
	if opt.Odd {
		out = append(out, "--problems")
	}
	return out
}

// chosen returns the names of the nodes that match the selectors; nil without a selector.
func (opt *NodesOptions) chosen(s *evidence.Snapshot) ([]string, error) {
	if opt.Selector == "" && opt.FieldSelector == "" {
		return nil, nil
	}
	if len(s.Data().Nodes) == 0 {
		return nil, nil // the map reports that nodes are missing
	}
	return selectNodes(s, opt.Selector, opt.FieldSelector)
}
