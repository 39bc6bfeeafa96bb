package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/inventory"
)

// Budgets lists PodDisruptionBudgets and the drains that they block.
func Budgets(ctx context.Context, from From, opt ListOptions) (*inventory.Budgets, error) {
	return list(ctx, from, need{}, opt, inventory.Filter{}, func(l *look, by inventory.Filter, order string) (*inventory.Budgets, error) {
		return inventory.NewBudgets(l.snapshot, l.At, by, order)
	})
}
