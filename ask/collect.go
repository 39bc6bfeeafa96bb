package ask

import (
	"context"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
)

// CollectOptions are the options of Collect.
type CollectOptions struct {
	// Nodes are the nodes to collect; empty means the whole cluster.
	Nodes []string
}

// Collection is evidence to save. From.Texts holds the texts.
type Collection struct {
	Snapshot *evidence.Snapshot
	Names    *anonymize.Names // aliases of real names; nil: names are not replaced
}

// Collect reads evidence to save. It returns an error if nothing in a cluster could be read.
func Collect(ctx context.Context, from From, opt CollectOptions) (*Collection, error) {
	l, err := from.look(ctx, need{nodes: opt.Nodes, cloud: true, aliases: true})
	if err != nil {
		return nil, err
	}
	c := &Collection{l.snapshot, l.names}
	return c, c.nothingRead()
}

// nothingRead returns the error for a cluster in which nothing could be read.
func (c *Collection) nothingRead() error {
	d := c.Snapshot.Data()
	if d.Source.Kind != "cluster" || len(d.Nodes)+len(d.Pods)+len(d.Events)+len(d.Workloads) > 0 {
		return nil
	}
	gaps := c.Snapshot.Incomplete(collected()...)
	if len(gaps) == 0 {
		return nil
	}
	err := fmt.Errorf("nothing could be read, so no bundle was written: %s: %s", gaps[0].Title(), gaps[0].Why)
	return &UnreadError{withHint(err, string(gaps[0].How))}
}

// Incomplete returns the kinds of objects that were not read, or only in part.
func (c *Collection) Incomplete() []string {
	var names []string
	for _, g := range c.Snapshot.Incomplete(collected()...) {
		if !slices.Contains(names, string(g.Kind)) {
			names = append(names, string(g.Kind))
		}
	}
	return names
}

// collected returns the kinds that a bundle of any cluster contains.
func collected() []evidence.Kind {
	var out []evidence.Kind
	for _, r := range evidence.Kinds() {
		if r.Kind.OfAPI() && r.Kind != evidence.NodeMetrics && r.Kind != evidence.PodMetrics {
			out = append(out, r.Kind)
		}
	}
	return out
}
