package main

import (
	"context"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
)

// observer reads the cluster and the cloud of the command's flags to prove a change.
type observer struct{ r *repairing }

func (o observer) Cluster(context.Context) (*evidence.Snapshot, error) {
	return ask.Read(o.r.cmd.Context(), o.r.from, ask.Scope{Cloud: true})
}

func (o observer) Node(ctx context.Context, name string) (*evidence.Snapshot, error) {
	return ask.Read(ctx, o.r.from, ask.Scope{Nodes: []string{name}, Cloud: true})
}

func (o observer) Closely(ctx context.Context, nodes []string) (*evidence.Snapshot, error) {
	return ask.Read(ctx, o.r.from, ask.Scope{Nodes: nodes})
}

func (o observer) Inspect(ctx context.Context, s *evidence.Snapshot, verb cloud.Verb) (*cloud.Standing, error) {
	return o.r.f.Standing(ctx, s, verb)
}
