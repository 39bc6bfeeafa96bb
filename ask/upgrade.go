package ask

import (
	"context"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
)

// UpgradeOptions are the settings of a rolling upgrade. The default of an unset field is the setting of the pool or of the
// provider.
type UpgradeOptions struct {
	// Pool is the pool to upgrade.
	Pool string
	// Style is how the provider replaces nodes. If empty, it follows from the labels of the pool.
	Style upgrade.Style
	// Surge is how many nodes are added during the upgrade, as a number or a percentage.
	Surge string
	// MaxUnavailable is how many nodes may be unavailable at a time, as a number or a percentage.
	MaxUnavailable string
	// DrainTimeout is when the drain of a node is abandoned; zero means never.
	DrainTimeout *time.Duration
	// Soak is the time between the end of a drain and the replacement.
	Soak *time.Duration
	// Undrainable is what happens to a node that cannot be drained: schedule, cordon or force.
	Undrainable string
	// NodeStart is the time until a new node accepts pods.
	NodeStart plan.Interval
}

// Upgrade plans the rolling upgrade of a pool. It needs the whole cluster.
func Upgrade(ctx context.Context, from From, opt UpgradeOptions) (*upgrade.Plan, error) {
	l, err := from.look(ctx, need{cloud: true, upgrade: true})
	if err != nil {
		return nil, err
	}
	return opt.plan(l)
}

func (opt UpgradeOptions) plan(l *look) (*upgrade.Plan, error) {
	u, err := upgrade.New(l.snapshot, upgrade.Options{
		Pool: opt.Pool, Now: l.At, Style: opt.Style, Surge: opt.Surge, MaxUnavailable: opt.MaxUnavailable, DrainTimeout: opt.DrainTimeout,
		Soak: opt.Soak, Undrainable: opt.Undrainable, NodeStart: opt.NodeStart, Board: scheduler.New,
	})
	if err != nil {
		if unread := unreadNodes(l.snapshot, "plan the upgrade of pool "+report.Clean(opt.Pool)); unread != nil {
			return nil, unread
		}
		return nil, refused(l.snapshot, err)
	}
	return u, nil
}
