package collect

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Cluster reads the whole cluster into b. Whatever cannot be read becomes a gap; the only error is an API
// server that cannot be reached at all (UnreachableError), or the end of ctx.
//
// The time of the evidence is the server's when the heartbeat leases had been read: they are what ages
// fastest. Everything else is read beside them.
func Cluster(ctx context.Context, r *kube.Reader, b *Builder, opt ClusterOptions) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	s.wait.Go(func() {
		var both sync.WaitGroup
		both.Go(func() { readList(ctx, s, evidence.Nodes, kube.Nodes, kube.Query{}, nil) })
		both.Go(func() {
			readList(ctx, s, evidence.Leases, kube.Leases, kube.Query{Namespace: corev1.NamespaceNodeLease}, nil)
			b.TakenAt(r.ServerTime())
		})
		both.Go(func() { s.usage(ctx, "") })
		both.Wait()
		s.probeOdd(ctx)
	})
	s.wait.Go(func() { readList(ctx, s, evidence.Pods, kube.Pods, kube.Query{}, nil) })
	s.wait.Go(func() { readList(ctx, s, evidence.Workloads, kube.ReplicaSets, kube.Query{}, nil) })
	s.wait.Go(func() { s.allEvents(ctx) })
	s.wait.Go(func() { readList(ctx, s, evidence.PDBs, kube.PDBs, kube.Query{}, nil) })
	s.wait.Go(func() { readList(ctx, s, evidence.Workloads, kube.Deployments, kube.Query{}, nil) })
	s.wait.Go(func() { readList(ctx, s, evidence.Workloads, kube.StatefulSets, kube.Query{}, nil) })
	s.wait.Go(func() { readList(ctx, s, evidence.Workloads, kube.DaemonSets, kube.Query{}, nil) })
	s.wait.Go(func() { readList(ctx, s, evidence.Workloads, kube.Jobs, kube.Query{}, nil) })
	s.wait.Go(func() {
		readList(ctx, s, evidence.Workloads, kube.ReplicationControllers, kube.Query{}, nil)
	})
	s.wait.Go(func() { readList(ctx, s, evidence.Claims, kube.Claims, kube.Query{}, nil) })
	s.wait.Go(func() { readList(ctx, s, evidence.Volumes, kube.Volumes, kube.Query{}, nil) })
	s.wait.Go(func() {
		readList(ctx, s, evidence.VolumeAttachments, kube.VolumeAttachments, kube.Query{}, nil)
	})
	s.wait.Go(func() { readList(ctx, s, evidence.CSINodes, kube.CSINodes, kube.Query{}, nil) })
	s.wait.Go(func() { s.schedulerInputs(ctx) })
	s.wait.Go(func() { readList(ctx, s, evidence.CSRs, kube.CSRs, kube.Query{}, nil) })
	s.wait.Go(func() { s.controlPlaneLeases(ctx) })
	s.wait.Go(func() { s.priorityClasses(ctx) })
	s.wait.Go(func() { s.webhooks(ctx) })
	s.wait.Go(func() { s.policies(ctx) })
	s.wait.Go(func() { s.mutations(ctx) })
	return s.finish(ctx)
}

// finish waits for all reads and settles them.
func (s *survey) finish(ctx context.Context) error {
	s.wait.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read cluster %s: %w", s.reader.Host(), err)
	}
	if s.builder.time().IsZero() {
		s.builder.TakenAt(s.reader.ServerTime())
	}
	s.settle()
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		order(d)
		if d.Server.Provider == "" {
			d.Server.Provider = providerOfNodes(d.Nodes)
		}
	})
	return nil
}
