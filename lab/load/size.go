package load

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Size is the size of the cluster.
type Size struct {
	Nodes int
	Pods  int // one in 15 belongs to a DaemonSet, the others to ReplicaSets with 10 pods each
	Sick  int // unhealthy nodes, each of one of the kinds in sick.go
	Pools int // default 10, or one for fewer than 100 nodes
	// Label is part of all node names, to distinguish two loads; default "node".
	Label string
}

const (
	podsPerSet    = 10
	namespaces    = 100
	zones         = 3
	podsPerDaemon = 15 // one of that many pods belongs to a DaemonSet
)

// plan is a Size with the derived numbers. The same size gives the same cluster, except for times and UIDs.
type plan struct {
	Size
	sets int // ReplicaSets with pods
	old  int // ReplicaSets scaled to zero, as after rollouts
	now  time.Time
}

func newPlan(size Size, now time.Time) plan {
	if size.Pools <= 0 {
		size.Pools = 10
		if size.Nodes < 100 {
			size.Pools = 1
		}
	}
	sets := (size.Pods - size.Pods/podsPerDaemon + podsPerSet - 1) / podsPerSet
	return plan{Size: size, sets: sets, old: sets / 14, now: now.Truncate(time.Second)}
}

// Node returns the name of the i-th node. The first Sick nodes are unhealthy.
func (s Size) Node(i int) string {
	if s.Label == "" {
		s.Label = "node"
	}
	return fmt.Sprintf("%s-%05d", s.Label, i)
}

// Pod returns the name of the i-th pod. The last ones belong to ReplicaSets.
func (s Size) Pod(i int) string { return newPlan(s, time.Time{}).pod(i).Name }

func (p plan) node(i int) string                  { return p.Size.Node(i) }
func (p plan) time(ago time.Duration) metav1.Time { return metav1.NewTime(p.now.Add(-ago)) }

// Fill writes the whole cluster and returns the number of objects.
func (s *Store) Fill(ctx context.Context, size Size) (int, error) {
	p := newPlan(size, time.Now())
	return s.write(ctx, func(yield func(record) bool) {
		for _, part := range []func(func(record) bool) bool{p.namespaces, p.nodes, p.leases, p.workloads, p.pods, p.budgets, p.events} {
			if !part(yield) {
				return
			}
		}
	})
}

// Beat updates nodes and leases with the current time, as kubelets do. Afterwards the healthy nodes are fresh for 40
// seconds.
func (s *Store) Beat(ctx context.Context, size Size) error {
	p := newPlan(size, time.Now())
	_, err := s.write(ctx, func(yield func(record) bool) {
		_ = p.nodes(yield) && p.leases(yield)
	})
	return err
}

// Beating calls Beat every second until the context ends, for slow readers. It returns at once if the first beat
// failed. wait returns when the last beat has ended.
func (s *Store) Beating(ctx context.Context, size Size) (wait func(), err error) {
	if err := s.Beat(ctx, size); err != nil {
		return nil, err
	}
	var g sync.WaitGroup
	g.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = s.Beat(context.WithoutCancel(ctx), size) // completely; the next one compensates for a failure
			case <-ctx.Done():
				return
			}
		}
	})
	return g.Wait, nil
}

func meta(namespace, name string, created metav1.Time) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: namespace, Name: name, UID: uid(namespace + "/" + name), CreationTimestamp: created}
}

func (p plan) namespaces(yield func(record) bool) bool {
	for i := range namespaces {
		ns := &corev1.Namespace{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"}, ObjectMeta: meta("", fmt.Sprintf("team-%02d", i), p.time(30*day)),
			Spec:   corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}},
			Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive},
		}
		if !yield(record{"/registry/namespaces/" + ns.Name, ns}) {
			return false
		}
	}
	return true
}

const day = 24 * time.Hour

// namespace distributes ReplicaSets so that the pods of a node come from many namespaces, for any number of nodes.
func namespace(set int) string { return fmt.Sprintf("team-%02d", (31*set+set/50)%namespaces) }
