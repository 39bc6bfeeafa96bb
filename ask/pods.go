package ask

import (
	"context"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// PodsOptions are the options of Pods.
type PodsOptions struct {
	ListOptions
	// Selector chooses pods by labels, as kubectl does: app=web, tier!=cache. Empty: all.
	Selector string
	// FieldSelector chooses pods by fields, as kubectl does: status.phase=Pending. Empty: all.
	FieldSelector string
}

// Pods lists pods by the reason why they are not running.
func Pods(ctx context.Context, from From, opt PodsOptions) (*lists.Pods, error) {
	var by lists.Filter
	var err error
	if opt.Selector != "" {
		if by.Labels, err = labels.Parse(opt.Selector); err != nil {
			return nil, usagef("invalid selector %q: %w", opt.Selector, err)
		}
	}
	if opt.FieldSelector != "" {
		if by.Fields, err = lists.ParseFields(opt.FieldSelector, lists.PodFields); err != nil {
			return nil, usagef("invalid field selector %q: %w", opt.FieldSelector, err)
		}
	}
	return list(ctx, from, need{}, opt.ListOptions, by, func(l *look, by lists.Filter, order string) (*lists.Pods, error) {
		return lists.NewPods(l.snapshot, l.At, by, order)
	})
}
