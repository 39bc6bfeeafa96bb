package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/placement/scheduler"
)

// manyNodes is from how many nodes on the whole cluster is read: nearly all of it matters then.
const manyNodes = 20

// evacuation gathers what decides where the pods of the nodes can go. Of a big cluster that is not all.
func (f *sourceFlags) evacuation(cmd *cobra.Command, nodes []string, k *knowledge) (*evidence.Snapshot, error) {
	if len(f.files) > 0 || len(nodes) == 0 || len(nodes) > manyNodes {
		return f.all(cmd, k)
	}
	return f.reaching(cmd, k, reach{garbage: garbageOfPart, read: func(ctx context.Context, r *kube.Reader, b *collect.Builder, opt survey.Options) error {
		return survey.Evacuation(ctx, r, b, nodes, opt)
	}})
}

// around gathers what tells why a pod or a workload is as it is.
func (f *sourceFlags) around(cmd *cobra.Command, subject evidence.Subject, k *knowledge) (*evidence.Snapshot, error) {
	if len(f.files) > 0 {
		return f.all(cmd, k)
	}
	return f.reaching(cmd, k, reach{garbage: garbageOfPart, read: func(ctx context.Context, r *kube.Reader, b *collect.Builder, opt survey.Options) error {
		return survey.Subject(ctx, r, b, subject, opt)
	}})
}

// reaching gathers so much of the cluster.
func (f *sourceFlags) reaching(cmd *cobra.Command, k *knowledge, what reach) (*evidence.Snapshot, error) {
	s, err := f.live(cmd.Context(), nil, k, what)
	if err != nil {
		return nil, err
	}
	return f.hide.hidden(s, k, f.texts)
}

// placed makes something that says where pods fit; once more of the whole cluster, if what was read of it leaves that open.
func placed[T any](cmd *cobra.Command, src *sourceFlags, in *input, make func(*evidence.Snapshot, placement.Open) (T, error)) (T, error) {
	board, open := placement.Open(scheduler.New).Noted()
	out, err := make(in.snapshot, board)
	if err != nil || !open() {
		return out, err
	}
	if in.snapshot, err = src.all(cmd, in.knowledge); err != nil {
		return out, err
	}
	return make(in.snapshot, scheduler.New)
}
