package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/answers/timeline"
)

// TimelineOptions are the options of Timeline.
type TimelineOptions struct {
	// Node is the name of the node.
	Node string
}

// Timeline returns the events on a node, in order.
func Timeline(ctx context.Context, from From, opt TimelineOptions) (*timeline.Timeline, error) {
	l, err := from.look(ctx, need{nodes: []string{opt.Node}, cloud: true, aliases: true})
	if err != nil {
		return nil, err
	}
	name := l.alias(opt.Node)
	if missing(l.snapshot, name) {
		return nil, noNode(l.snapshot, name)
	}
	return timeline.New(l.snapshot, from.Knowledge.Signatures, name), nil
}
