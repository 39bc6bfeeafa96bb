package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/inventory"
)

// DaemonSets lists DaemonSets and the nodes on which they are missing.
func DaemonSets(ctx context.Context, from From, opt ListOptions) (*inventory.DaemonSets, error) {
	return list(ctx, from, need{}, opt, inventory.Filter{}, func(l *look, by inventory.Filter, order string) (*inventory.DaemonSets, error) {
		return inventory.NewDaemonSets(l.snapshot, l.At, by, order)
	})
}
