//go:build unix

package conformance

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab/hollow"
)

// every applies it to all nodes that go down, at the same time.
func every(do func(context.Context, *stage, *hollow.Node) error) act {
	return func(ctx context.Context, s *stage) error {
		failed := make([]error, len(s.down))
		var all sync.WaitGroup
		for i, name := range s.down {
			all.Go(func() { failed[i] = do(ctx, s, s.plane.Hollow(name)) })
		}
		all.Wait()
		return errors.Join(failed...)
	}
}

func plain(do func(*hollow.Node)) act {
	return every(func(_ context.Context, _ *stage, n *hollow.Node) error { do(n); return nil })
}

// The events.
var (
	silence  = plain((*hollow.Node).Silence)
	wake     = plain((*hollow.Node).Wake)
	boot     = plain((*hollow.Node).Boot)
	shutdown = every(func(ctx context.Context, _ *stage, n *hollow.Node) error { return n.Shutdown(ctx) })
	notReady = plain(func(n *hollow.Node) {
		n.Condition(corev1.NodeReady, corev1.ConditionFalse, "KubeletNotReady", "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized")
		n.Look()
	})
	deleteNode = every(func(ctx context.Context, s *stage, n *hollow.Node) error {
		return s.client.CoreV1().Nodes().Delete(ctx, n.Name(), metav1.DeleteOptions{})
	})
	outOfService = taint(corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute})
)

func taint(t corev1.Taint) act {
	return every(func(ctx context.Context, s *stage, n *hollow.Node) error { return s.addTaint(ctx, n.Name(), t) })
}

// deletePods deletes the pods of the nodes that are not DaemonSet pods, as a user does.
func deletePods(seconds *int64) act {
	return func(ctx context.Context, s *stage) error {
		return s.eachPod(func(p podLog) error {
			return s.client.CoreV1().Pods(s.Name).Delete(ctx, p.name, metav1.DeleteOptions{GracePeriodSeconds: seconds})
		})
	}
}

// deleteSlow deletes the pods that take long to stop.
func deleteSlow(ctx context.Context, s *stage) error {
	want := 0
	for _, l := range s.Loads {
		if l.Stops == "" {
			continue
		}
		list := metav1.ListOptions{LabelSelector: "app=" + l.Name}
		if err := s.client.CoreV1().Pods(s.Name).DeleteCollection(ctx, metav1.DeleteOptions{}, list); err != nil {
			return err
		}
		want += int(l.N)
	}
	return await(ctx, time.Minute, "deletions that are seen", func() bool {
		n := 0
		for _, p := range s.plane.recorder.in(s.Name) {
			if p.deleted != nil {
				n++
			}
		}
		return n >= want
	})
}

// drain cordons the nodes and evicts their pods once.
func drain(ctx context.Context, s *stage) error {
	for _, n := range s.down {
		if err := cordon(ctx, s.plane, n, true); err != nil {
			return err
		}
	}
	return s.eachPod(func(p podLog) error {
		return s.client.CoreV1().Pods(s.Name).EvictV1(ctx, &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: p.name, Namespace: s.Name}})
	})
}

func (s *stage) eachPod(do func(podLog) error) error {
	var group errgroup.Group
	for _, p := range s.plane.recorder.in(s.Name) {
		if p.gone != nil || !s.goesDown(p.node) || p.belongs() {
			continue
		}
		group.Go(func() error {
			if err := do(p); err != nil {
				return fmt.Errorf("remove pod %s/%s: %w", p.namespace, p.name, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// others cordons the remaining nodes.
func others(ctx context.Context, s *stage) error { return s.cordon(ctx, s.stay, true) }

// cordoned cordons the nodes that go down.
func cordoned(ctx context.Context, s *stage) error { return s.cordon(ctx, s.down, true) }

// lostNow waits until all nodes that go down are Unknown and have the NoExecute taint. A snapshot does not show when a
// node gets its taint after a lost turn.
func lostNow(ctx context.Context, s *stage) error {
	return await(ctx, 2*time.Minute, "nodes that are lost", func() bool {
		for _, n := range s.down {
			l := s.plane.recorder.of(n)
			if last(l.ready) != string(corev1.ConditionUnknown) || last(l.evicting) != corev1.TaintNodeUnreachable {
				return false
			}
		}
		return true
	})
}

// last returns the last state of something, or "".
func last(changes []change) string {
	if len(changes) == 0 {
		return ""
	}
	return changes[len(changes)-1].to
}

// evicted waits until a pod is being deleted.
func evicted(ctx context.Context, s *stage) error {
	return await(ctx, 2*time.Minute, "a pod that is evicted", func() bool {
		for _, p := range s.plane.recorder.in(s.Name) {
			if p.deleted != nil {
				return true
			}
		}
		return false
	})
}

func (s *stage) goesDown(node string) bool {
	for _, n := range s.down {
		if n == node {
			return true
		}
	}
	return false
}

// tolerating changes tolerationSeconds of the pods on the nodes; the API allows no other change of a toleration
// (kubernetes pkg/apis/core/validation/validation.go validateOnlyAddedTolerations, v1.36.3).
func tolerating(seconds int64) act {
	return func(ctx context.Context, s *stage) error {
		return s.eachPod(func(p podLog) error {
			pod, err := s.client.CoreV1().Pods(s.Name).Get(ctx, p.name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			for i := range pod.Spec.Tolerations {
				if t := &pod.Spec.Tolerations[i]; t.TolerationSeconds != nil {
					t.TolerationSeconds = &seconds
				}
			}
			_, err = s.client.CoreV1().Pods(s.Name).Update(ctx, pod, metav1.UpdateOptions{})
			return err
		})
	}
}

// nothing only waits.
func nothing(context.Context, *stage) error { return nil }
