package survey

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Cluster reads the whole cluster into b. Failed reads become gaps. The only errors are an unreachable API server
// (UnreachableError), and the end of ctx.
//
// The time of the evidence is the server time after the heartbeat Leases were read, because they age fastest. Everything else is
// read concurrently.
func Cluster(ctx context.Context, r *kube.Reader, b *collect.Builder, opt Options) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	return s.cluster(ctx)
}

func (s *survey) cluster(ctx context.Context) error {
	s.wait.Go(func() {
		var both sync.WaitGroup
		both.Go(func() { readList(ctx, s, evidence.Nodes, kube.Nodes, kube.Query{}, nil) })
		both.Go(func() {
			readList(ctx, s, evidence.Leases, kube.Leases, kube.Query{Namespace: corev1.NamespaceNodeLease}, nil)
			s.builder.TakenAt(s.reader.ServerTime())
		})
		both.Go(func() { s.usage(ctx, "") })
		both.Wait()
		if s.opt.Kubelets != nil {
			s.opt.Kubelets.addTo(s)
			return
		}
		s.probeOdd(ctx)
		s.peerReports(ctx)
	})
	s.wait.Go(func() { s.allEvents(ctx) })
	for _, row := range evidence.Kinds() {
		for _, o := range row.Objects() {
			if o.Survey != evidence.Apart {
				s.wait.Go(func() { s.all(ctx, o) })
			}
		}
	}
	s.wait.Go(func() { s.controlPlaneLeases(ctx) })
	s.wait.Go(func() { s.webhooks(ctx) })
	s.wait.Go(func() { s.policies(ctx) })
	s.wait.Go(func() { s.mutations(ctx) })
	return s.finish(ctx)
}

// all reads the objects of one kind, as its row in the table of kinds requires.
func (s *survey) all(ctx context.Context, kind *evidence.Object) {
	q := kube.Query{Reuse: kind.Copied}
	if kind.Survey == evidence.Few {
		q.MaxPages = maxPages
	}
	o, read := outcome{kind: kind.Of(), what: kind.Names[0]}, 0
	key := keyOf(kind.Resource(), q)
	if s.followed(&o, kind.Resource(), "") || s.remember(key, &o) {
		s.note(o)
		return
	}
	o.all, o.err = kube.Surveyed(kind.Resource()).List(ctx, s.reader, q, func(page []any) error {
		s.builder.Edit(func(d *evidence.Data, t *evidence.Templates) {
			for _, obj := range page {
				d.Add(t, obj)
			}
		})
		o.some = true
		read += len(page)
		s.count(o.kind, len(page))
		return ctx.Err()
	})
	o.endedAt(read)
	if o.err != nil {
		s.opt.Memory.keep(key, o, nil) // a list that may be watched is kept by its watch; only the refusal is kept here
	}
	s.note(o)
}

// finish waits for all reads and settles them.
func (s *survey) finish(ctx context.Context) error {
	s.wait.Wait()
	ended := ctx.Err()
	if ended != nil {
		s.builder.Gap("the rest of the cluster", context.Cause(ctx).Error(), "")
		ended = fmt.Errorf("read cluster %s: %w", s.reader.Host(), ended)
	}
	if s.builder.Time().IsZero() {
		s.builder.TakenAt(s.reader.ServerTime())
	}
	s.settle()
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		if d.Server.Provider == "" {
			d.Server.Provider = serviceOf(d.Nodes)
		}
	})
	return ended
}
