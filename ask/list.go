package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// ListOptions choose what is in a list. All lists have them in common.
type ListOptions struct {
	// Namespace has the objects; empty: all namespaces.
	Namespace string
	// Node is the node that the objects concern; empty: all nodes.
	Node string
	// Odd shows only what has something odd; of pods, those that are not running or not ready.
	Odd bool
	// SortBy is a column of the list; empty: odd ones first.
	SortBy string
}

// list reads what a list needs and makes it.
func list[T any](ctx context.Context, from From, n need, opt ListOptions, by lists.Filter, make func(*look, lists.Filter, string) (T, error)) (T, error) {
	var none T
	l, err := from.look(ctx, n)
	if err != nil {
		return none, err
	}
	if opt.Node != "" && lacks(l.snapshot, opt.Node) {
		return none, noNode(l.snapshot, "show node "+opt.Node, opt.Node)
	}
	by.Namespace, by.Node, by.Odd = opt.Namespace, opt.Node, opt.Odd
	out, err := make(l, by, opt.SortBy)
	if err != nil {
		return none, &UsageError{err}
	}
	return out, nil
}
