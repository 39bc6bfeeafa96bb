package ask

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
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
		if by.Labels, err = parseLabels(opt.Selector); err != nil {
			return nil, err
		}
	}
	if opt.FieldSelector != "" {
		if by.Fields, err = lists.ParseFields(opt.FieldSelector, lists.PodFields); err != nil {
			return nil, usagef("invalid field selector %q: %w", opt.FieldSelector, err)
		}
	}
	return list(ctx, from, need{}, opt.ListOptions, by, func(l *look, by lists.Filter, order string) (*lists.Pods, error) {
		if err := labelled(l.snapshot, opt.Selector, by.Labels); err != nil {
			return nil, err
		}
		return lists.NewPods(l.snapshot, l.At, by, order)
	})
}

// labelled returns an error if the labels of pods were read, and no pod has those of the selector.
func labelled(s *evidence.Snapshot, selector string, by labels.Selector) error {
	if by == nil {
		return nil
	}
	var all []labels.Set
	for _, p := range s.Data().Pods {
		if p.Labels == nil && p.Partial || by.Matches(labels.Set(p.Labels)) {
			return nil
		}
		all = append(all, p.Labels)
	}
	if len(all) == 0 || len(s.Incomplete(evidence.Pods)) > 0 {
		return nil // the list reports that pods are missing
	}
	return noMatch(by, all, "kubectl get pods -A --show-labels", fmt.Errorf("no pod matches the selector %q (%s)", selector, wording.Count(len(all), "pod")))
}
