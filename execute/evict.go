package execute

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	tick      = time.Second      // polling interval of the nodes
	briefly   = tick / 4         // the first interval after an accepted eviction; it doubles up to a tick
	slowTick  = 5 * time.Second  // interval of the check that the nodes are still cordoned
	slowRetry = 30 * time.Second // the longest pause after an answer that is not from a PodDisruptionBudget
	patience  = time.Minute      // time after the grace period until a pod is overdue
	atOnce    = 20               // evictions in flight; the pace of the Writer is lower when the server is busy
)

// empty evicts pods until no evictable pod is left. It also evicts pods that arrive on the nodes meanwhile.
func (d *drainer) empty(ctx context.Context, result *Result) error {
	looked, idle := time.Now(), briefly
	for {
		pods, err := d.observe(ctx)
		switch {
		case ctx.Err() != nil:
			d.leave(result)
			return context.Cause(ctx)
		case kube.ReasonOf(err) == kube.Forbidden || kube.ReasonOf(err) == kube.Unauthorized:
			return err
		case err != nil:
			d.log("look", "Node", strings.Join(d.plan.Nodes, ","), Waits, err.Error())
			pause(ctx, slowTick)
			continue
		}
		evict, going := d.todo(pods)
		open := 0
		for _, p := range evict {
			if p.held = d.withheld(p) != ""; p.held {
				d.waits(p, d.withheld(p))
			} else {
				open++
			}
		}
		d.overdue(going)
		if open == 0 && len(going) == 0 {
			d.leave(result)
			return nil
		}
		if time.Since(looked) > slowTick {
			looked = time.Now()
			if name := d.reopened(ctx); name != "" {
				d.leave(result)
				return fmt.Errorf("node %s: %w", name, errReopened)
			}
		}
		if d.round(ctx, evict, result) > 0 {
			idle = briefly
			continue
		}
		pause(ctx, idle)
		idle = min(2*idle, tick)
	}
}

// round sends the evictions that are due and returns how many were accepted.
func (d *drainer) round(ctx context.Context, evict []*pod, result *Result) int {
	budgets, err := d.budgets(ctx, evict)
	if err != nil {
		d.log("look", "Node", strings.Join(d.plan.Nodes, ","), Waits, err.Error())
		return 0
	}
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	accepted := 0
	for _, q := range d.line(ctx, evict, budgets) {
		wait.Go(func() {
			for _, p := range q.pods {
				select {
				case slots <- struct{}{}:
				case <-ctx.Done():
					return
				}
				err := d.opt.Writer.Evict(ctx, p.Namespace, p.Name, p.UID)
				<-slots
				why := d.explain(ctx, p, q, err)
				d.mu.Lock()
				done := d.answered(ctx, p, q, err, why)
				if done {
					accepted++
				}
				d.mu.Unlock()
				if !done && kube.ReasonOf(err) == kube.Refused {
					return // the other evictions would get the same answer
				}
			}
		})
	}
	wait.Wait()
	result.Evicted += accepted
	for _, s := range d.surges {
		if s.evicted {
			s.evicted = false
			if err := d.shrink(ctx, s.Namespace, s.Name, func(m *evidence.Mark) bool { return m.Run == d.run }); err != nil {
				d.log("scale back", "Deployment", s.key(), Waits, err.Error()) // settle retries
			}
		}
	}
	return accepted
}

// surged reports whether the pod needs no second replica, or has one.
func (d *drainer) surged(ctx context.Context, p *pod) bool {
	for _, s := range d.surges {
		if s.Namespace == p.Namespace && s.Pod == p.Name {
			ready, why := d.grown(ctx, s)
			if !ready {
				d.waits(p, why)
				p.next = time.Now().Add(tick)
			}
			return ready
		}
	}
	return true
}

// answered records the answer to an eviction and reports whether it was accepted. The caller holds d.mu.
func (d *drainer) answered(ctx context.Context, p *pod, q *queue, err error, why string) bool {
	now := time.Now()
	switch reason := kube.ReasonOf(err); {
	case err == nil:
		p.evicted, p.why = now, ""
		q.pause, q.words, q.next = tick, "", time.Time{}
		for _, s := range d.surges {
			s.evicted = s.evicted || s.Namespace == p.Namespace && s.Pod == p.Name
		}
		d.log("evict", "Pod", p.Key(), Done, "")
		return true
	case reason == kube.NotFound, reason == kube.Conflict, ctx.Err() != nil:
		p.next = now.Add(tick) // gone or replaced; the next poll shows it
	case reason == kube.Refused:
		q.refuse(why)
		d.waits(p, why)
	default:
		p.tries++
		p.next = now.Add(min(slowRetry, time.Duration(1<<min(p.tries, 6))*time.Second))
		d.waits(p, why)
	}
	return false
}

// explain returns the reason for a failed eviction. If the PodDisruptionBudget blocks for longer than a replacement
// takes, it adds the unhealthy pods. It queries the API server, so the caller must not hold d.mu.
func (d *drainer) explain(ctx context.Context, p *pod, q *queue, err error) string {
	var e *kube.Error
	switch reason := kube.ReasonOf(err); {
	case err == nil, ctx.Err() != nil, reason == kube.NotFound, reason == kube.Conflict:
		return ""
	case reason == kube.Denied && errors.As(err, &e):
		return e.Refusal
	case reason == kube.Refused && errors.As(err, &e):
		if q.pause < lasting {
			return e.Refusal
		}
		if lacking := d.lacking(ctx, p); lacking != "" {
			return e.Refusal + "; " + lacking
		}
		return e.Refusal
	}
	if kube.ReasonOf(err) == kube.Forbidden && strings.Contains(err.Error(), "cannot create resource") { // not a webhook
		return err.Error() + "; the role of a drain needs create on pods/eviction"
	}
	budgets, failed := d.budgets(ctx, []*pod{p})
	if failed != nil || !mechanics.AsksBudgets(p.Pod) {
		return err.Error()
	}
	var names []string
	for _, b := range budgets.Of(p.Pod) {
		names = append(names, b.Namespace+"/"+b.Name)
	}
	if len(names) < 2 {
		return err.Error()
	}
	return "it matches several PodDisruptionBudgets, and the eviction API rejects such pods: " + strings.Join(names, ", ") + "; suspend one of them with --suspend-pdb"
}

// waits logs once why the pod waits.
func (d *drainer) waits(p *pod, why string) {
	if p.why != why {
		p.why = why
		d.log("evict", "Pod", p.Key(), Waits, why)
	}
}

// overdue logs pods that should be gone, and what blocks their deletion.
func (d *drainer) overdue(going []*pod) {
	now := d.now()
	for _, p := range going {
		if p.late || p.Deleted.IsZero() || now.Sub(p.Deleted) < patience {
			continue
		}
		p.late = true
		p.why = fmt.Sprintf("it should have been deleted %s ago; check that its node's kubelet is running", wording.Duration(now.Sub(p.Deleted)))
		if e := mechanics.EndingOf(p.Pod, nil, false, now); e.Holder == mechanics.HeldByFinalizer {
			p.why = fmt.Sprintf("it should have been deleted %s ago; it has finalizers: %s", wording.Duration(now.Sub(p.Deleted)), strings.Join(e.Finalizers, ", "))
		}
		d.log("gone", "Pod", p.Key(), Waits, p.why)
	}
}

// leave lists the pods that should be gone but still exist.
func (d *drainer) leave(result *Result) {
	result.Left = []Left{}
	for _, p := range d.pods {
		action, _ := mechanics.DrainOf(p.Pod)
		if p.gone || action == mechanics.Skip {
			continue
		}
		why := p.why
		if why == "" && (!p.evicted.IsZero() || action == mechanics.AwaitEnd) {
			why = "it is terminating"
		}
		result.Left = append(result.Left, Left{p.Key(), why})
	}
}

// tryAll sends every eviction once as a dry run and does nothing else.
func (d *drainer) tryAll(ctx context.Context, result *Result) error {
	pods, err := d.observe(ctx)
	if err != nil {
		return err
	}
	evict, _ := d.todo(pods)
	for _, p := range evict {
		if why := d.withheld(p); why != "" {
			d.waits(p, why)
		} else {
			once := &queue{pause: lasting}
			err := d.opt.Writer.Evict(ctx, p.Namespace, p.Name, p.UID)
			if d.answered(ctx, p, once, err, d.explain(ctx, p, once, err)) {
				result.Evicted++
			}
		}
		if p.evicted.IsZero() {
			result.Left = append(result.Left, Left{p.Key(), p.why})
		}
	}
	return ctx.Err()
}
