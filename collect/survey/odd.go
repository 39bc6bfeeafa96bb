package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// unmeasured is how long a new node may be missing in the metrics API, which scrapes every kubelet once or twice a minute.
const unmeasured = 10 * time.Minute

// probeOdd probes the kubelets of unusual nodes, the worst first, up to the bound.
func (s *survey) probeOdd(ctx context.Context) {
	if s.opt.Probes < 0 {
		return
	}
	var list []*evidence.Node
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { list = oddNodes(d, s.reader.ServerTime()) })
	if left := len(list) - s.opt.Probes; left > 0 {
		s.builder.Gap(fmt.Sprintf("kubelets of %d further nodes with problems", left),
			fmt.Sprintf("only %d kubelets are asked in a run over the whole cluster", s.opt.Probes), "nodetriage diagnose NODE asks that node's")
		list = list[:s.opt.Probes]
	}
	var wait sync.WaitGroup
	for _, n := range list {
		wait.Go(func() { s.probe(ctx, n.Name, n.Node) })
	}
	wait.Wait()
}

// oddNodes returns the nodes whose kubelet is worth probing. They are sorted by reason, then by name: NotReady nodes that report,
// unreachable nodes, nodes with a late heartbeat, nodes with a problem condition. The last are Ready nodes without metrics, if the
// metrics API has other nodes: their kubelet may not respond.
func oddNodes(d *evidence.Data, now time.Time) []*evidence.Node {
	renewed := map[string]time.Time{}
	for _, l := range d.Leases {
		if l.Namespace == corev1.NamespaceNodeLease {
			renewed[l.Name] = l.Renewed
		}
	}
	measured := map[string]bool{}
	for _, u := range d.Usage {
		measured[u.Node] = true
	}
	grace := mechanics.HeartbeatGrace(d, 0)
	rank := func(n *evidence.Node) int {
		beat := renewed[n.Name]
		switch {
		case n.NotReady() && !n.Silent():
			return 1 // its kubelet can respond; an unreachable one most likely cannot
		case n.Silent():
			return 2
		case !beat.IsZero() && !now.IsZero() && grace.Overdue(now.Sub(beat)) != evidence.False:
			return 3
		}
		for i := range n.Node.Status.Conditions {
			if evidence.Bad(&n.Node.Status.Conditions[i]) == evidence.True {
				return 4
			}
		}
		if len(measured) > 0 && !measured[n.Name] && n.Ready() == evidence.True && now.Sub(n.CreationTimestamp.Time) > unmeasured {
			return 5
		}
		return 0
	}
	var out []*evidence.Node
	for _, n := range d.Nodes {
		if rank(n) > 0 {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *evidence.Node) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}
