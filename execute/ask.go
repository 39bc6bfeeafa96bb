package execute

import (
	"context"
	"errors"
	"sync"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/kube"
)

// Refusal is the message of an admission plugin that denies a request.
type Refusal struct{ Object, Says string }

// Ask sends the cordons and evictions of the plan as a dry run and returns what admission denies. Policies and webhooks
// run before PodDisruptionBudgets (kubernetes pkg/registry/core/pod/storage/eviction.go, v1.36.3). The Writer must be a
// dry-run Writer. An error means that some requests had no answer. Ask skips requests that other clients send: the
// kubelet removes completed pods.
func Ask(ctx context.Context, p *drain.Plan, opt Options) ([]Refusal, error) {
	opt.DryRun, opt.Log = true, func(Entry) {}
	d := newDrainer(p, opt)
	var out []Refusal
	judge := func(object string, err error) error {
		var e *kube.Error
		switch reason := kube.ReasonOf(err); {
		case reason == kube.Denied && errors.As(err, &e):
			out = append(out, Refusal{object, e.Refusal})
		case err != nil && reason != kube.Refused && reason != kube.NotFound && reason != kube.Conflict:
			return err
		}
		return nil
	}
	for _, n := range p.Nodes {
		if err := judge("node "+n, d.cordon(ctx, n)); err != nil {
			return out, err
		}
	}
	pods, err := d.observe(ctx)
	if err != nil {
		return out, err
	}
	pods, _ = d.todo(pods)
	answers := d.askAll(ctx, pods)
	for i, p := range pods {
		if err := judge("pod "+p.Key(), answers[i]); err != nil {
			return out, err
		}
	}
	return out, nil
}

// askAll sends an eviction for each pod that the plan evicts, several in parallel. It returns the answers in the order
// of the pods.
func (d *drainer) askAll(ctx context.Context, pods []*pod) []error {
	answers := make([]error, len(pods))
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, p := range pods {
		if planned := d.planned[p.Key()]; planned != nil && planned.Action != drain.Evict || d.withheld(p) != "" {
			continue
		}
		slots <- struct{}{}
		wait.Go(func() {
			answers[i] = d.opt.Writer.Evict(ctx, p.Namespace, p.Name, p.UID)
			<-slots
		})
	}
	wait.Wait()
	return answers
}
