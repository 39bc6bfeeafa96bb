package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// Budgets lists PodDisruptionBudgets and the drains that they block.
func Budgets(ctx context.Context, from From, opt ListOptions) (*lists.Budgets, error) {
	return list(ctx, from, need{}, opt, lists.Filter{}, func(l *look, by lists.Filter, order string) (*lists.Budgets, error) {
		return lists.NewBudgets(l.snapshot, l.At, by, order)
	})
}
