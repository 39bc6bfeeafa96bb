package simulate

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// replace tells what the controllers of the pods do, in one telling
// (kubernetes v1.36.3: pkg/controller/replicaset, statefulset, daemon, job).
func (w *world) replace(l luck, courses map[string]*course, outcomes map[*evidence.Pod]*outcome) {
	for _, p := range w.pods {
		o, m := outcomes[p], w.machines[p.Node]
		switch r := mechanics.Replaces(p); {
		case o.deleted == never && o.failed == never || p.Finished():
			o.kind = None
		case r == mechanics.AtDeletion:
			w.replaceReplica(p, o, l)
		case r == mechanics.WhenGone:
			// An identity is free when the object that has it is gone.
			o.kind, o.replaced = Created, plus(o.gone, pick(l.late, 0, apiLag))
		case r == mechanics.OnSameNode:
			w.replaceDaemon(p, o, m, courses[p.Node], l)
		case r == mechanics.WhenFailed:
			// after all pods of the Job are known to have failed
		case r == mechanics.ByKubelet || r == mechanics.NotReplaced:
			o.kind = None
		default:
			o.kind = Waits
		}
	}
	w.replaceJobs(l, outcomes)
	for _, p := range w.pods {
		o := outcomes[p]
		o.replaced = w.resumes(o.replaced, l)
		free := w.free(p, w.machines[p.Node], courses[p.Node], l, o.ended)
		if o.replaced != never {
			o.starts = max(o.replaced, free)
			if m := w.machines[w.pinned(p)]; m != nil && m.back != never { // it waits there
				o.starts = max(o.starts, m.back)
			}
		}
	}
	w.orderedSets(outcomes)
	for _, o := range outcomes {
		if o.replaced == never && o.kind == Created {
			o.kind = Waits
		}
	}
}

// replaceReplica: a pod counts until its deletion is requested, unready or not.
func (w *world) replaceReplica(p *evidence.Pod, o *outcome, l luck) {
	if set := w.snap.OwnerOf(p); set != nil && set.Replicas == 0 {
		o.kind = None // an old one of a Deployment
		return
	}
	o.kind, o.replaced = Created, plus(min(o.deleted, o.failed), pick(l.late, 0, apiLag))
}

// replaceDaemon: a pod belongs to its node, so it comes again only there.
func (w *world) replaceDaemon(p *evidence.Pod, o *outcome, m *machine, c *course, l luck) {
	down := corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoSchedule}
	switch {
	case m.shutdown && m.back == never && mechanics.Untolerated(w.tolerationsOf(p), []corev1.Taint{down}) == nil:
		o.kind, o.replaced = Created, o.gone // there, where nothing runs it
	case m.deleted != never:
		o.kind = None
	case o.deletedBy == byTaint && o.gone != never && m.outOfService == never && w.staysDaemon(p, o.gone, m, c):
		o.kind, o.replaced = Created, plus(o.gone, pick(l.late, 0, apiLag))
	case o.gone != never && c.ready != never && m.outOfService == never:
		o.kind, o.replaced = Created, max(o.gone, c.ready)
	default:
		o.kind = Waits
	}
}

// staysDaemon tells whether the DaemonSet of a pod wants one on the node at that time: the taints are tolerated, for
// however long (kubernetes pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod, v1.36.3).
func (w *world) staysDaemon(p *evidence.Pod, at time.Duration, m *machine, c *course) bool {
	taints := slices.Clone(m.node.Spec.Taints)
	for _, h := range c.taints {
		if h.From <= at && at < h.To {
			taints = append(taints, h.Taint)
		}
	}
	return p.Spec != nil && mechanics.Untolerated(w.tolerationsOf(p), taints) == nil
}

// orderedSets: a StatefulSet with OrderedReady makes no pod while one with a lower number is not ready or is
// Terminating.
func (w *world) orderedSets(outcomes map[*evidence.Pod]*outcome) {
	for _, pods := range w.sets {
		for i, p := range pods {
			o := outcomes[p]
			if o == nil || o.replaced == never {
				continue
			}
			for _, lower := range pods[:i] {
				o.replaced = max(o.replaced, w.settled(lower, outcomes[lower], o.replaced))
			}
			o.starts = max(o.starts, o.replaced)
		}
	}
}

// settled is when a pod with a lower number does not hold up the others any more.
func (w *world) settled(p *evidence.Pod, o *outcome, at time.Duration) time.Duration {
	switch {
	case o == nil: // on another node
		if p.Ready == evidence.False || p.Deleting() {
			return never
		}
		return always
	case o.deleted != never:
		return o.starts // and the time that it takes to be ready
	case o.unready <= at && at < o.readyAgain, p.Ready == evidence.False && w.machines[p.Node].dead():
		return o.readyAgain
	}
	return always
}

// findSets groups the pods of StatefulSets that keep an order, by set and in order; sets that the evidence does
// not have are taken for such.
func (w *world) findSets() map[evidence.Subject][]*evidence.Pod {
	hit := map[evidence.Subject]bool{}
	key := func(p *evidence.Pod) evidence.Subject {
		return evidence.Subject{Kind: p.Owner.Kind, Namespace: p.Namespace, Name: p.Owner.Name}
	}
	for _, p := range w.pods {
		if mechanics.Replaces(p) == mechanics.WhenGone {
			if s := w.snap.OwnerOf(p); s == nil || !s.Parallel {
				hit[key(p)] = true
			}
		}
	}
	out := map[evidence.Subject][]*evidence.Pod{}
	if len(hit) == 0 {
		return out
	}
	for _, p := range w.snap.Data().Pods {
		if mechanics.Replaces(p) == mechanics.WhenGone && hit[key(p)] {
			out[key(p)] = append(out[key(p)], p)
		}
	}
	for _, pods := range out {
		slices.SortStableFunc(pods, func(a, b *evidence.Pod) int { return ordinal(a.Name) - ordinal(b.Name) })
	}
	return out
}

// ordinal is the number at the end of a name.
func ordinal(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil {
		return -1
	}
	return n
}
