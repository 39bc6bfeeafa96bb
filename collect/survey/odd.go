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

// unmeasured is how long a new node may be unknown to the metrics API, which asks every kubelet once or twice a minute.
const unmeasured = 10 * time.Minute

// probeOdd asks the kubelets of the nodes that look odd, the worst first, up to the bound.
func (s *survey) probeOdd(ctx context.Context) {
	if s.opt.Probes < 0 {
		return
	}
	var list []*evidence.Node
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) { list = oddNodes(d, s.reader.ServerTime()) })
	if left := len(list) - s.opt.Probes; left > 0 {
		s.builder.Gap(fmt.Sprintf("kubelets of %d further nodes that look odd", left),
			fmt.Sprintf("only %d kubelets are asked in a run over the whole cluster", s.opt.Probes), "nodetriage diagnose NODE asks that node's")
		list = list[:s.opt.Probes]
	}
	var wait sync.WaitGroup
	for _, n := range list {
		wait.Go(func() { s.probe(ctx, n.Name, n.Node) })
	}
	wait.Wait()
}

// oddNodes are the nodes whose kubelet has something to tell: those NotReady by their own word, silent ones, those whose
// heartbeat is old, those with a condition that reports a problem, and those of which the metrics API knows nothing although
// it knows others: whoever reads their figures gets no answer. In this order, each by name.
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
			return 1 // its kubelet can be asked; a silent one most likely cannot
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
