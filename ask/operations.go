package ask

import (
	"context"
	"time"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// OperationsOptions choose which cloud operations are shown.
type OperationsOptions struct {
	ListOptions
	// Pool is the pool that operations concern; empty: all.
	Pool string
	// Status is how operations ended, in the cloud's word: failed, succeeded. Empty: all.
	Status string
	// Caller is a part of the name of who asked for operations; empty: all.
	Caller string
	// Since is how far back operations are shown, and a live log is read; 0: as far as the cloud's reader goes by itself.
	Since time.Duration
	// Until leaves out operations that began less than this time ago.
	Until time.Duration
}

// Operations lists what was done in the cloud, and how it ended.
func Operations(ctx context.Context, from From, opt OperationsOptions) (*lists.Operations, error) {
	backwards := opt.Since > 0 && opt.Until >= opt.Since
	if opt.Since < 0 || opt.Until < 0 || backwards {
		return nil, usagef("show operations of --since %s --until %s: both count back from now, --since further", opt.Since, opt.Until)
	}
	back := opt.Since
	if back == 0 && opt.Until > 0 {
		back = opt.Until + 24*time.Hour
	}
	by := lists.Filter{Pool: opt.Pool, Status: opt.Status, Caller: opt.Caller, Since: opt.Since, Until: opt.Until}
	return list(ctx, from, need{cloud: true, back: back}, opt.ListOptions, by, func(l *look, by lists.Filter, order string) (*lists.Operations, error) {
		return lists.NewOperations(l.snapshot, l.At, asking(l.snapshot.Nodes()), by, order)
	})
}
