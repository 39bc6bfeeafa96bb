package survey

import (
	"cmp"
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
	s := signs{now: now, renewed: map[string]time.Time{}, measured: map[string]bool{}, grace: mechanics.HeartbeatGrace(d, 0)}
	for _, l := range d.Leases {
		if l.Namespace == corev1.NamespaceNodeLease {
			s.renewed[l.Name] = l.Renewed
		}
	}
	for _, u := range d.Usage {
		s.measured[u.Node] = true
	}
	var out []*evidence.Node
	for _, n := range d.Nodes {
		if s.rank(n) > 0 {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b *evidence.Node) int {
		return cmp.Or(cmp.Compare(s.rank(a), s.rank(b)), strings.Compare(a.Name, b.Name))
	})
	return out
}

// signs are what shows that a kubelet may have a problem.
type signs struct {
	now      time.Time
	renewed  map[string]time.Time // leases by node
	grace    mechanics.Grace
	measured map[string]bool // nodes with metrics
}

// rank returns the place of a node in the order of oddNodes; 0: nothing is unusual.
func (s *signs) rank(n *evidence.Node) int {
	switch {
	case n.NotReady() && !n.Silent():
		return 1 // its kubelet can respond; an unreachable one most likely cannot
	case n.Silent():
		return 2
	case s.isLate(n):
		return 3
	case hasBadCondition(n):
		return 4
	case s.lacksMetrics(n):
		return 5
	}
	return 0
}

func (s *signs) isLate(n *evidence.Node) bool {
	beat := s.renewed[n.Name]
	return !beat.IsZero() && !s.now.IsZero() && s.grace.Overdue(s.now.Sub(beat)) != evidence.False
}

func hasBadCondition(n *evidence.Node) bool {
	for i := range n.Node.Status.Conditions {
		if evidence.Bad(&n.Node.Status.Conditions[i]) == evidence.True {
			return true
		}
	}
	return false
}

func (s *signs) lacksMetrics(n *evidence.Node) bool {
	if len(s.measured) == 0 || s.measured[n.Name] {
		return false
	}
	return n.Ready() == evidence.True && s.now.Sub(n.CreationTimestamp.Time) > unmeasured
}
