package ask

import (
	"context"
	"time"

	"github.com/nodetriage/nodetriage/answers/lists"
)

// OperationsOptions are the options of Operations.
type OperationsOptions struct {
	ListOptions
	// Pool selects operations on one pool; empty means all.
	Pool string
	// Status selects operations by their result, in the cloud's term: failed, succeeded. Empty means all.
	Status string
	// Caller is a part of the caller's name; empty means all.
	Caller string
	// Since is how far back operations are shown and a live log is read; 0 means the default of the cloud's reader.
	Since time.Duration
	// Until excludes operations that began less than this time ago.
	Until time.Duration
}

// Operations lists cloud operations and their results.
func Operations(ctx context.Context, from From, opt OperationsOptions) (*lists.Operations, error) {
	backwards := opt.Since > 0 && opt.Until >= opt.Since
	if opt.Since < 0 || opt.Until < 0 || backwards {
		return nil, hintf("both count back from now; --since must be longer", "--since %s is not longer than --until %s", opt.Since, opt.Until)
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
