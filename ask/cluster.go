package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/providers"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/kube"
)

// Cluster is a live cluster.
type Cluster struct {
	// Connect returns a read-only Reader and the user's name for the cluster. It is called before each reading.
	Connect func() (*kube.Reader, string, error)
	// Cloud returns a reader of the cloud for the machines with these provider ids. Its log goes back that far; 0 means the
	// reader's default. If it returns no reader, the cloud is not read and the gap, if any, gives the reason. If nil, no cloud
	// is read.
	Cloud func(machines []string, back time.Duration) (cloud.Reader, *evidence.Gap, error)
	// Lists are lists that watches keep up to date. The whole cluster is read from them, and from the server what they do not
	// have. If nil, everything is read from the server.
	Lists survey.Lists
	// Beside are files that are part of the evidence too.
	Beside Files
	// KeepPart keeps what was read before the context was cancelled.
	KeepPart bool
}

func (c Cluster) read(ctx context.Context, from *From, n need) (*evidence.Snapshot, error) {
	reader, name, err := c.Connect()
	if err != nil {
		return nil, err
	}
	b := from.builder(evidence.Source{Kind: "cluster", Name: name, Node: evidence.OfNodes(n.nodes)})
	if err := c.survey(ctx, from, n, reader, b); err != nil {
		if c.KeepPart && errors.Is(context.Cause(ctx), context.Canceled) && !b.Empty() {
			return b.Snapshot(), nil
		}
		return nil, unreadCluster(err, n)
	}
	if n.cloud {
		readObjects(ctx, reader, b)
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

// survey reads the part of the cluster that a question needs.
func (c Cluster) survey(ctx context.Context, from *From, n need, r *kube.Reader, b *collect.Builder) error {
	p := Progress{Reading: "the cluster", Objects: true, Whole: n.whole()}
	from.tell(p)
	opt := survey.Options{Progress: from.objects(p), Lists: c.Lists}
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

// unreadCluster returns the error for a cluster that could not be read.
func unreadCluster(err error, n need) error {
	var unknown *survey.NoNodeError
	if errors.As(err, &unknown) {
		return &UsageError{&HintError{err, suggestion(&evidence.AbsentError{What: aNode, Name: unknown.Name, Names: unknown.Some})}}
	}
	if len(n.nodes) == 0 {
		return fmt.Errorf("read the cluster: %w", err)
	}
	return fmt.Errorf("read nodes: %w", err)
}

// readCloud adds the cloud's data about the machines in b. A failure becomes a gap.
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

// readObjects adds the state that a cloud stores in the cluster. A failure becomes a gap.
func readObjects(ctx context.Context, r *kube.Reader, b *collect.Builder) {
	for _, o := range providers.Objects(b.ProviderIDs()) {
		list, err := r.Custom(ctx, kube.Custom(o))
		switch {
		case err != nil:
			b.Gap(o.Name, err.Error(), shell.Format("kubectl get {resource} -o yaml", o.Name+"."+o.Group))
		case list != nil:
			b.AddStream(o.Name, bytes.NewReader(list))
		}
	}
}
