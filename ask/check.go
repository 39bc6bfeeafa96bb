package ask

import (
	"context"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/ignore"
)

// CheckOptions are the options of Check.
type CheckOptions struct {
	// Pools are node pools whose upgrade is simulated too.
	Pools []string
	// Exceptions lists accepted findings. Annotations of objects are added to it. If nil, only annotations apply.
	Exceptions *ignore.List
}

// Check finds risks for a drain, an upgrade or the loss of a node.
func Check(ctx context.Context, from From, opt CheckOptions) (*check.Review, error) {
	l, err := from.look(ctx, need{cloud: true, aliases: true, upgrade: true})
	if err != nil {
		return nil, err
	}
	var upgrades []*upgrade.Plan
	for _, pool := range opt.Pools {
		u, err := UpgradeOptions{Pool: l.alias(pool)}.plan(l)
		if err != nil {
			return nil, err
		}
		upgrades = append(upgrades, u)
	}
	r := check.New(l.snapshot, from.At, scheduler.New, upgrades...)
	list := from.Knowledge.excepted(opt.Exceptions, l.snapshot)
	if list.Empty() {
		return r, nil
	}
	var now time.Time
	if r.TakenAt != nil {
		now = *r.TakenAt
	}
	r.Except(func(check string, on evidence.Subject) *triage.Exception { return list.For(now, check, on) })
	used := make([]triage.Exception, 0, len(r.Ignored))
	for _, i := range r.Ignored {
		used = append(used, i.Exception)
	}
	isCheck := func(id string) bool { return slices.Contains(check.Checks(), id) }
	r.ExceptionNotes = append(list.Notes(now), list.Unmatched(now, isCheck, used)...)
	return r, nil
}
