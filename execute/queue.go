package execute

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/mechanics"
)

type pdb = policyv1.PodDisruptionBudget

// queue has the pods that wait for one PodDisruptionBudget. Evictions are sent one after another because the API server
// delays concurrent evictions of one PodDisruptionBudget by half a second each (kubernetes
// pkg/registry/core/pod/storage/eviction.go EvictionsRetry, v1.36.3). It sends at most disruptionsAllowed. At zero it
// still sends one eviction from time to time to log the reason of the API server.
type queue struct {
	name  string // namespace/name of the PodDisruptionBudget
	left  int32  // allowed disruptions minus sent evictions
	pods  []*pod // to evict now
	words string // message of the last rejection
	next  time.Time
	pause time.Duration
}

const (
	longestQueue = 50       // evictions per PodDisruptionBudget in one round
	lasting      = 4 * tick // after this pause, all pods of the PodDisruptionBudget are checked
)

// budgets reads the PodDisruptionBudgets in the namespaces of the pods.
func (d *drainer) budgets(ctx context.Context, pods []*pod) (mechanics.Budgets, error) {
	read := map[string]bool{}
	var all []*evidence.PDB
	for _, p := range pods {
		if read[p.Namespace] {
			continue
		}
		read[p.Namespace] = true
		_, err := kube.List(ctx, d.opt.Reader, kube.PDBs, kube.Query{Namespace: p.Namespace}, func(page []pdb) error {
			for i := range page {
				all = append(all, &evidence.PDB{PodDisruptionBudget: &page[i]})
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list PodDisruptionBudgets in namespace %s: %w", p.Namespace, err)
		}
	}
	return mechanics.NewBudgets(all), nil
}

// line returns the pods to evict now in queues: one per PodDisruptionBudget, and one per pod without one.
func (d *drainer) line(ctx context.Context, evict []*pod, budgets mechanics.Budgets) []*queue {
	now := time.Now()
	var out []*queue
	for _, q := range d.queues {
		q.left, q.pods = -1, nil
	}
	for _, p := range evict {
		if p.held || now.Before(p.next) || !d.surged(ctx, p) {
			continue
		}
		var held []*evidence.PDB
		if mechanics.AsksBudgets(p.Pod) {
			held = budgets.Of(p.Pod)
		}
		if len(held) != 1 { // with several PodDisruptionBudgets, the API server returns its reason
			out = append(out, &queue{pods: []*pod{p}})
			continue
		}
		q := d.queueOf(held[0])
		if !q.takes(p, mechanics.Answer(held[0], p.Ready), now) {
			d.queued(p, q)
			continue
		}
		if q.pods = append(q.pods, p); len(q.pods) == 1 {
			out = append(out, q)
		}
	}
	return out
}

func (d *drainer) queueOf(b *evidence.PDB) *queue {
	key := b.Namespace + "/" + b.Name
	q := d.queues[key]
	if q == nil {
		q = &queue{name: key, pause: tick, left: -1}
		d.queues[key] = q
	}
	if q.left < 0 {
		q.left = max(0, b.Status.DisruptionsAllowed)
	}
	return q
}

// takes reports whether to evict the pod now.
func (q *queue) takes(p *pod, answer mechanics.Eviction, now time.Time) bool {
	switch {
	case len(q.pods) >= longestQueue:
		return false
	case answer == mechanics.Free:
		return true
	case answer == mechanics.Counted && q.left > 0:
		q.left--
		return true
	case answer == mechanics.Counted:
		return false // other pods use all allowed disruptions
	}
	return len(q.pods) == 0 && !now.Before(q.next)
}

// queued logs once that a pod waits.
func (d *drainer) queued(p *pod, q *queue) {
	if p.why == "" && q.words != "" {
		d.waits(p, q.words)
	}
}

// refuse records a rejection. Each rejection doubles the pause.
func (q *queue) refuse(words string) {
	q.next = time.Now().Add(q.pause)
	q.pause = min(2*q.pause, drain.RetryAfter)
	q.words = words
}

// lacking returns the unhealthy pods of the only PodDisruptionBudget of the pod.
func (d *drainer) lacking(ctx context.Context, p *pod) string {
	budgets, err := d.budgets(ctx, []*pod{p})
	if err != nil {
		return ""
	}
	held := budgets.Of(p.Pod)
	if len(held) != 1 {
		return ""
	}
	var data evidence.Data
	templates := evidence.NewTemplates()
	_, err = kube.List(ctx, d.opt.Reader, kube.Pods, kube.Query{Namespace: p.Namespace, FromCache: true}, func(page []corev1.Pod) error {
		for i := range page {
			data.Pods = append(data.Pods, templates.FromPod(&page[i]))
		}
		return nil
	})
	if err != nil {
		return ""
	}
	return clusterview.Lacking(evidence.New(data), held[0])
}
