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
	"github.com/nodetriage/nodetriage/plan"
)

const (
	tick      = time.Second      // between two looks at the nodes
	slowTick  = 5 * time.Second  // between two looks whether the nodes are still closed
	slowRetry = 30 * time.Second // the longest pause after an answer that is not a budget's
	patience  = time.Minute      // how much longer than its grace period a pod may take to be gone
	atOnce    = 20               // evictions that wait for their answer; the Writer's own pace is lower when the server is busy
)

// gate keeps the pods under one budget from asking all at once: while it refuses, one of them asks.
type gate struct {
	next  time.Time
	pause time.Duration
}

// empty evicts until nothing is left that should go. Pods that come to the nodes while it runs are evicted
// as well.
func (d *drain) empty(ctx context.Context, result *Result) error {
	looked := time.Now()
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
		if d.round(ctx, evict, result) == 0 {
			pause(ctx, tick)
		}
	}
}

// round asks for the evictions that are due and returns how many were accepted.
func (d *drain) round(ctx context.Context, evict []*pod, result *Result) int {
	var wait sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	accepted := 0
	for _, p := range d.due(ctx, evict) {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		wait.Go(func() {
			err := d.opt.Writer.Evict(ctx, p.Namespace, p.Name, p.UID)
			<-slots
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.answered(ctx, p, err) {
				accepted++
			}
		})
	}
	wait.Wait()
	result.Evicted += accepted
	for _, s := range d.surges {
		if s.evicted {
			s.evicted = false
			if err := d.shrink(ctx, s.Namespace, s.Name, func(m *evidence.Mark) bool { return m.Run == d.run }); err != nil {
				d.log("scale back", "Deployment", s.key(), Waits, err.Error()) // settle tries again
			}
		}
	}
	return accepted
}

// due chooses the pods whose eviction is worth asking for now.
func (d *drain) due(ctx context.Context, evict []*pod) []*pod {
	var out []*pod
	asked := map[string]bool{}
	for _, p := range evict {
		g := d.gates[p.gate]
		switch {
		case p.held || time.Now().Before(p.next):
		case g != nil && (asked[p.gate] || time.Now().Before(g.next)):
		case !d.surged(ctx, p):
		default:
			asked[p.gate] = true
			out = append(out, p)
		}
	}
	return out
}

// surged tells whether the pod needs no second replica, or has it.
func (d *drain) surged(ctx context.Context, p *pod) bool {
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

// answered notes what the API said to an eviction, and tells whether it was accepted. d.mu is held.
func (d *drain) answered(ctx context.Context, p *pod, err error) bool {
	now := time.Now()
	var e *kube.Error
	errors.As(err, &e)
	reason := kube.ReasonOf(err)
	if reason != kube.Refused && p.gate != "" && (err == nil || reason == kube.NotFound) {
		delete(d.gates, p.gate) // the others may ask at once
	}
	switch {
	case err == nil:
		p.evicted, p.why = now, ""
		for _, s := range d.surges {
			s.evicted = s.evicted || s.Namespace == p.Namespace && s.Pod == p.Name
		}
		d.log("evict", "Pod", p.Key(), Done, "")
		return true
	case reason == kube.NotFound, reason == kube.Conflict, ctx.Err() != nil:
		p.next = now.Add(tick) // gone, or another pod by now: the next look tells
	case reason == kube.Refused:
		d.refused(ctx, p, e.Refusal)
	default:
		p.tries++
		p.next = now.Add(min(slowRetry, time.Duration(1<<min(p.tries, 6))*time.Second))
		text := err.Error()
		if names, _ := d.budgetOf(ctx, p); strings.Contains(names, ",") {
			text = "several budgets hold it, and the eviction API refuses such pods: " + names + "; suspend one of them with --suspend-pdb"
		}
		d.waits(p, text)
	}
	return false
}

// refused explains a budget's refusal when it starts or changes, in the API's own words.
func (d *drain) refused(ctx context.Context, p *pod, words string) {
	if g := d.gates[p.gate]; p.gate != "" && g != nil {
		g.pause = min(2*g.pause, plan.RetryAfter)
		g.next = time.Now().Add(g.pause)
		if p.why == "" || !strings.HasPrefix(p.why, words) {
			_, lacking := d.budgetOf(ctx, p)
			d.waits(p, join(words, lacking))
		}
		return
	}
	name, lacking := d.budgetOf(ctx, p)
	if name == "" {
		name = p.Key() // which budget it was cannot be told: the pod waits alone
	}
	p.gate = name
	if d.gates[name] == nil {
		d.gates[name] = &gate{pause: tick, next: time.Now().Add(tick)}
	}
	d.waits(p, join(words, lacking))
}

func join(words, lacking string) string {
	if lacking == "" {
		return words
	}
	return words + "; " + lacking
}

// waits tells what the pod waits for, once.
func (d *drain) waits(p *pod, why string) {
	if p.why != why {
		p.why = why
		d.log("evict", "Pod", p.Key(), Waits, why)
	}
}

// overdue tells of pods that should be gone by now, and what keeps them.
func (d *drain) overdue(going []*pod) {
	now := d.now()
	for _, p := range going {
		if p.late || p.Deleted.IsZero() || now.Sub(p.Deleted) < patience {
			continue
		}
		p.late = true
		p.why = fmt.Sprintf("it should be gone since %s; does its node's kubelet run?", now.Sub(p.Deleted).Round(time.Second))
		if len(p.Finalizers) > 0 {
			p.why = fmt.Sprintf("it should be gone since %s; it has finalizers: %s", now.Sub(p.Deleted).Round(time.Second), strings.Join(p.Finalizers, ", "))
		}
		d.log("gone", "Pod", p.Key(), Waits, p.why)
	}
}

// leave lists the pods that are still there although they should not.
func (d *drain) leave(result *Result) {
	result.Left = []Left{}
	for _, p := range d.pods {
		action, _ := plan.Classify(p.Pod)
		if p.gone || action == plan.Skip {
			continue
		}
		why := p.why
		if why == "" && (!p.evicted.IsZero() || action == plan.Wait) {
			why = "it is going"
		}
		result.Left = append(result.Left, Left{p.Key(), why})
	}
}

// tryAll asks once for every eviction and for nothing else: a dry run.
func (d *drain) tryAll(ctx context.Context, result *Result) error {
	pods, err := d.observe(ctx)
	if err != nil {
		return err
	}
	evict, _ := d.todo(pods)
	for _, p := range evict {
		if why := d.withheld(p); why != "" {
			d.waits(p, why)
		} else if d.answered(ctx, p, d.opt.Writer.Evict(ctx, p.Namespace, p.Name, p.UID)) {
			result.Evicted++
		}
		if p.evicted.IsZero() {
			result.Left = append(result.Left, Left{p.Key(), p.why})
		}
	}
	return ctx.Err()
}
