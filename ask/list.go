package ask

import (
	"context"
	"errors"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// ListOptions are the options that all lists share.
type ListOptions struct {
	// Namespace is the namespace of the objects; empty means all namespaces.
	Namespace string
	// Node is the node of the objects; empty means all nodes.
	Node string
	// Odd selects only unusual entries. For pods, these are the ones that are not running or not ready.
	Odd bool
	// SortBy is a column of the list. If empty, unusual entries come first.
	SortBy string
}

// list reads the evidence for a list and builds the list.
func list[T any](ctx context.Context, from From, n need, opt ListOptions, by lists.Filter, make func(*look, lists.Filter, string) (T, error)) (T, error) {
	var none T
	l, err := from.look(ctx, n)
	if err != nil {
		return none, err
	}
	if err := errors.Join(knownNode(l.snapshot, opt.Node), knownNamespace(l.snapshot, opt.Namespace)); err != nil {
		return none, err
	}
	by.Namespace, by.Node, by.Odd = opt.Namespace, opt.Node, opt.Odd
	out, err := make(l, by, opt.SortBy)
	if err != nil {
		return none, refused(l.snapshot, err)
	}
	return out, nil
}
