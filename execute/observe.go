package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/mechanics"
)

type deployment = appsv1.Deployment

// pod is the state of one pod on the nodes.
type pod struct {
	*evidence.Pod
	evicted time.Time // when its eviction was accepted; zero: not yet
	gone    bool
	late    bool      // logged as overdue
	why     string    // the last logged reason for waiting
	held    bool      // must not be evicted
	next    time.Time // earliest time
	tries   int
}

// observe reads the pods of the nodes, records new and deleted pods, and returns those that exist.
func (d *drainer) observe(ctx context.Context) ([]*pod, error) {
	pods, err := d.read(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []*pod
	for _, now := range pods {
		seen[now.UID] = true
		known := d.pods[now.UID]
		if known == nil {
			known = &pod{}
			d.pods[now.UID] = known
		}
		if known.Pod = now; !known.gone {
			out = append(out, known)
		}
	}
	for uid, p := range d.pods {
		if !seen[uid] && !p.gone {
			p.gone = true
			if action, _ := mechanics.DrainOf(p.Pod); action != mechanics.Skip || !p.evicted.IsZero() {
				d.log("gone", "Pod", p.Key(), Done, "")
			}
		}
	}
	slices.SortFunc(out, func(a, b *pod) int { return strings.Compare(a.Key(), b.Key()) })
	return out, nil
}

// read lists the pods of all nodes in parallel. The pace of the Reader limits the requests.
func (d *drainer) read(ctx context.Context) ([]*evidence.Pod, error) {
	found := make([][]*evidence.Pod, len(d.plan.Nodes))
	errs := make([]error, len(d.plan.Nodes))
	var wait sync.WaitGroup
	for i, node := range d.plan.Nodes {
		wait.Go(func() {
			templates := evidence.NewTemplates()
			_, err := kube.List(ctx, d.opt.Reader, kube.Pods, kube.Query{Fields: "spec.nodeName=" + node, FromCache: true}, func(page []corev1.Pod) error {
				for p := range page {
					found[i] = append(found[i], templates.FromPod(&page[p]))
				}
				return nil
			})
			if err != nil {
				errs[i] = fmt.Errorf("list the pods of node %s: %w", node, err)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err // other nodes return the same error
		}
	}
	return slices.Concat(found...), nil
}
