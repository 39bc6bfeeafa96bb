package ask

import (
	"context"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/providers"
	"github.com/nodetriage/nodetriage/evidence"
)

// NodeOptions are the options of Node.
type NodeOptions struct {
	// Name is the name of the node.
	Name string
}

// NodeDetail is one node and the evidence behind it.
type NodeDetail struct {
	*nodes.Detail
	snapshot  *evidence.Snapshot
	knowledge *Knowledge
}

// Node returns the details of one node.
func Node(ctx context.Context, from From, opt NodeOptions) (*NodeDetail, error) {
	l, err := from.look(ctx, need{nodes: []string{opt.Name}, cloud: true, aliases: true})
	if err != nil {
		return nil, err
	}
	name := l.alias(opt.Name)
	d := nodes.NewDetail(l.snapshot, from.Knowledge.Judge(l.snapshot, from.At), name, from.At)
	if d == nil {
		return nil, noNode(l.snapshot, name)
	}
	d.AddMachine(l.snapshot, providers.Place(d.ProviderID), asking([]*evidence.Node{l.snapshot.Node(d.Node.Name)}).Machines)
	return &NodeDetail{d, l.snapshot, from.Knowledge}, nil
}

// Timeline returns the events on the node, in order.
func (d *NodeDetail) Timeline() *timeline.Timeline {
	return timeline.New(d.snapshot, d.knowledge.Signatures, d.Detail.Node.Name)
}

// asking returns the commands that query the cloud of these nodes.
func asking(nodes []*evidence.Node) cloud.Asking {
	var about cloud.Scope
	for _, n := range nodes {
		about.ProviderIDs = append(about.ProviderIDs, n.Spec.ProviderID)
		about.Labels = append(about.Labels, n.Labels)
	}
	return providers.Asking(about)
}
