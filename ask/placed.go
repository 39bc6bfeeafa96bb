package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

// placed computes an answer that depends on where pods can be scheduled. If the part of the cluster that was read is not
// enough, it reads the whole cluster and repeats.
func placed[T any](ctx context.Context, l *look, make func(*evidence.Snapshot, placement.Open) (T, error)) (T, error) {
	board, open := placement.Open(scheduler.New).Noted()
	out, err := make(l.snapshot, board)
	if err != nil || !open() {
		return out, err
	}
	whole, err := l.look(ctx, need{})
	if err != nil {
		return out, err
	}
	*l = *whole
	return make(l.snapshot, scheduler.New)
}
