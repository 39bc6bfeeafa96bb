package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// Cluster is a live cluster.
type Cluster struct {
	// Connect makes a Reader, with which nothing can be written, and returns what the user calls the cluster. It is called when the
	// cluster is read, and again for each further reading.
	Connect func() (*kube.Reader, string, error)
	// Cloud makes what reads the cloud of machines with these provider ids, its log as far back as that (0: as far as it does by
	// itself). Without a reader the cloud is not asked, and the gap, if there is one, says why. nil: no cloud is asked.
	Cloud func(machines []string, back time.Duration) (cloud.Reader, *evidence.Gap, error)
	// Beside are files that belong to the evidence as well.
	Beside Files
	// KeepPart: if the context is cancelled, what was read until then is the evidence.
	KeepPart bool
}

func (c Cluster) read(ctx context.Context, from *From, n need) (*evidence.Snapshot, error) {
	reader, name, err := c.Connect()
	if err != nil {
		return nil, err
	}
	b := from.builder(evidence.Source{Kind: "cluster", Name: name, Node: strings.Join(n.nodes, ", ")})
	if err := c.survey(ctx, from, n, reader, b); err != nil {
		if c.KeepPart && errors.Is(context.Cause(ctx), context.Canceled) && !b.Empty() {
			return b.Snapshot(), nil
		}
		return nil, unreadCluster(err, n)
	}
	if n.cloud {
		if err := c.readCloud(ctx, b, n); err != nil {
			return nil, err
		}
	}
	if len(c.Beside.Paths) > 0 {
		b.Until(ctx)
	}
	for _, path := range c.Beside.Paths {
		if err := c.Beside.readOne(ctx, from, b, path); err != nil {
			return nil, &UsageError{err}
		}
	}
	return b.Snapshot(), nil
}

// survey reads as much of the cluster as a question needs.
func (c Cluster) survey(ctx context.Context, from *From, n need, r *kube.Reader, b *collect.Builder) error {
	p := Progress{Reading: "the cluster", Objects: true, Whole: n.whole()}
	from.tell(p)
	opt := survey.Options{Progress: from.objects(p)}
	p.Phase = Ended
	defer func() { from.tell(p) }()
	switch {
	case p.Whole:
		return survey.Cluster(ctx, r, b, opt)
	case len(n.nodes) > 0:
		return survey.Nodes(ctx, r, b, n.nodes, opt)
	case len(n.room) > 0:
		return survey.Evacuation(ctx, r, b, n.room, opt)
	}
	return survey.Subject(ctx, r, b, n.subject, opt)
}

// unreadCluster is the error for a cluster that could not be read.
func unreadCluster(err error, n need) error {
	var unknown *survey.NoNodeError
	if errors.As(err, &unknown) {
		if near := wording.Nearest(unknown.Name, unknown.Some); near != "" {
			return usagef("%w; did you mean %s?", err, report.Clean(near))
		}
		return &UsageError{err}
	}
	if len(n.nodes) == 0 {
		return fmt.Errorf("read the cluster: %w", err)
	}
	return fmt.Errorf("read nodes: %w", err)
}

// readCloud adds what the cloud knows of the machines that b holds. A failure becomes a gap.
func (c Cluster) readCloud(ctx context.Context, b *collect.Builder, n need) error {
	if c.Cloud == nil {
		return nil
	}
	r, gap, err := c.Cloud(b.ProviderIDs(), n.back)
	if err != nil {
		return err
	}
	if gap != nil {
		b.Gap(gap.What, gap.Why, gap.How)
	}
	if r != nil {
		survey.Cloud(ctx, r, b, n.upgrade)
	}
	return nil
}
