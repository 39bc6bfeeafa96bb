package main

import (
	"context"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// observer reads the cluster and the cloud of the command's flags for the proof of a change.
type observer struct{ r *repairing }

func (o observer) Cluster(context.Context) (*evidence.Snapshot, error) {
	return o.r.src.all(o.r.cmd, o.r.k)
}

func (o observer) Node(ctx context.Context, name string) (*evidence.Snapshot, error) {
	return o.r.src.live(ctx, []string{name}, o.r.k, about([]string{name}))
}

func (o observer) Closely(ctx context.Context, nodes []string) (*evidence.Snapshot, error) {
	src := *o.r.src
	src.cloud.wanted = false
	return src.live(ctx, nodes, o.r.k, about(nodes))
}

func (o observer) Inspect(ctx context.Context, s *evidence.Snapshot, verb cloud.Verb) (*cloud.Standing, error) {
	return o.r.inspect(ctx, s, verb)
}
