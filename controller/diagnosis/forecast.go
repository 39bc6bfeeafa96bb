package diagnosis

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/mechanics"
)

// eviction is a forecast: the taint eviction controller deletes the pods.
const eviction = "eviction"

// forecast returns when the taints of the node evict its pods; nil: no eviction is due.
func (v *view) forecast(now time.Time) *v1alpha1.Forecast {
	n := v.snapshot.Node(v.node)
	if n == nil {
		return nil
	}
	var taints []corev1.Taint
	var since time.Time // of the newest taint: it starts the timer
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if !mechanics.Evicts(t) {
			continue
		}
		taints = append(taints, *t)
		if at := mechanics.TaintedSince(n, t, v.snapshot.EventsOf(n.Subject())); at.After(since) {
			since = at
		}
	}
	if len(taints) == 0 || since.IsZero() {
		return nil
	}
	return v.evictions(taints, since, now)
}

// evictions returns the interval in which the pods are evicted whose time has not passed.
func (v *view) evictions(taints []corev1.Taint, since, now time.Time) *v1alpha1.Forecast {
	var first, last time.Time
	pods := 0
	for _, p := range v.snapshot.PodsOn(v.node) {
		if p.Spec == nil || p.Finished() || p.Deleting() {
			continue
		}
		stay := mechanics.StayUnder(p.Spec.Tolerations, taints)
		at := since.Add(stay.For)
		if stay.Forever || at.Before(now) {
			continue
		}
		if pods++; first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	if pods == 0 {
		return nil
	}
	return &v1alpha1.Forecast{What: eviction, From: *timeOf(&first), To: *timeOf(&last), Pods: int32(pods)}
}
