package simulate

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// held is a taint with effect NoExecute while a node has it.
type held struct {
	taint    corev1.Taint
	from, to time.Duration
}

// verdict is what a set of taints means to a pod.
type verdict struct {
	now, forever bool
	after        time.Duration
}

// judge finds for each taint the FIRST toleration that matches, and of these the least number of seconds
// (kubernetes pkg/controller/tainteviction/taint_eviction.go processPodOnNode and getMinTolerationTime, v1.36.3).
func judge(tolerations []corev1.Toleration, taints []corev1.Taint) verdict {
	out := verdict{forever: true}
	for i := range taints {
		tolerated := mechanics.TolerationOf(tolerations, &taints[i])
		if tolerated == nil {
			return verdict{now: true}
		}
		if s := tolerated.TolerationSeconds; s != nil {
			after := time.Duration(max(*s, 0)) * time.Second
			if out.forever || after < out.after {
				out.after = after
			}
			out.forever = false
		}
	}
	return out
}

// evictedAt runs the timers of the taint eviction controller for one pod: a running timer is neither
// shortened nor lengthened, only cancelled, and the end of the Node object does not cancel it.
func evictedAt(tolerations []corev1.Toleration, taints []held, bound, nodeGone time.Duration) time.Duration {
	var changes []time.Duration
	for _, h := range taints {
		changes = append(changes, max(h.from, bound))
		if h.to != never {
			changes = append(changes, h.to)
		}
	}
	slices.Sort(changes)
	timer := never
	for _, at := range slices.Compact(changes) {
		if timer <= at {
			return timer
		}
		if at > nodeGone {
			return timer
		}
		var active []corev1.Taint
		for _, h := range taints {
			if h.from <= at && at < h.to {
				active = append(active, h.taint)
			}
		}
		switch v := judge(tolerations, active); {
		case v.now:
			return at
		case v.forever:
			timer = never
		case timer == never:
			timer = plus(at, v.after)
		}
	}
	return timer
}

// tolerationsOf are those of the pod, with what the scenario changes in them. A pod whose spec was not read has
// those that it gets by default.
func (w *world) tolerationsOf(p *evidence.Pod) []corev1.Toleration {
	var list []corev1.Toleration
	switch {
	case p.Spec != nil:
		list = p.Spec.Tolerations
	case p.Mirror || p.Owner.Kind == "Node":
		list = []corev1.Toleration{{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
	case p.Owner.Kind == "DaemonSet":
		list = defaultTolerations(nil)
	default:
		seconds := defaultSeconds
		list = defaultTolerations(&seconds)
	}
	if w.sc.TolerationSeconds == nil {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if k := list[i].Key; list[i].TolerationSeconds != nil && (k == corev1.TaintNodeNotReady || k == corev1.TaintNodeUnreachable) {
			list[i].TolerationSeconds = w.sc.TolerationSeconds
		}
	}
	return list
}

// defaultTolerations are those of admission (plugin/pkg/admission/defaulttolerationseconds) and, without
// seconds, of the DaemonSet controller (pkg/controller/daemon/util, v1.36.3).
func defaultTolerations(seconds *int64) []corev1.Toleration {
	var out []corev1.Toleration
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		out = append(out, corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: seconds,
		})
	}
	return out
}
