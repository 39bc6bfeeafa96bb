package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// DaemonSets lists DaemonSets and the nodes on which they are missing.
func DaemonSets(ctx context.Context, from From, opt ListOptions) (*lists.DaemonSets, error) {
	return list(ctx, from, need{}, opt, lists.Filter{}, func(l *look, by lists.Filter, order string) (*lists.DaemonSets, error) {
		return lists.NewDaemonSets(l.snapshot, l.At, by, order)
	})
}
