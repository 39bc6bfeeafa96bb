package predict

import (
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// replace simulates the controllers of the pods, in one run (kubernetes v1.36.3: pkg/controller/replicaset, statefulset,
// daemon, job).
func (sim *simulation) replace(x extremes, timelines map[string]*nodeTimeline, outcomes map[*evidence.Pod]*outcome) {
	for _, p := range sim.pods {
		sim.replaceOne(p, outcomes[p], timelines[p.Node], x)
	}
	sim.replaceJobs(x, outcomes)
	for _, p := range sim.pods {
		o := outcomes[p]
		o.replaced = sim.resumes(o.replaced, x)
		free := sim.volumesFreeAt(p, sim.nodes[p.Node], timelines[p.Node], x, o.ended)
		if o.replaced != never {
			o.starts = max(o.replaced, free)
			if m := sim.nodes[sim.pinned(p)]; m != nil && m.back != never { // it waits for that node
				o.starts = max(o.starts, m.back)
			}
		}
	}
	sim.delayOrderedSets(outcomes)
	for _, o := range outcomes {
		if o.replaced == never && o.kind == Created {
			o.kind = Waits
		}
	}
}

// replaceOne simulates the controller of one pod. A Job's controller waits for all its pods.
func (sim *simulation) replaceOne(p *evidence.Pod, o *outcome, tl *nodeTimeline, x extremes) {
	if o.deleted == never && o.failed == never || p.Finished() {
		o.kind = None
		return
	}
	switch mechanics.Replaces(p) {
	case mechanics.AtDeletion:
		sim.replaceReplica(p, o, x)
	case mechanics.WhenGone:
		// An identity is free after the object with it is deleted.
		o.kind, o.replaced = Created, plus(o.gone, pick(x.late, 0, apiLag))
	case mechanics.OnSameNode:
		sim.replaceDaemon(p, o, sim.nodes[p.Node], tl, x)
	case mechanics.WhenFailed:
		// after all pods of the Job are known to have failed
	case mechanics.ByKubelet, mechanics.NotReplaced:
		o.kind = None
	default:
		o.kind = Waits
	}
}

// replaceReplica: a pod counts until its deletion is requested, even if it is not ready.
func (sim *simulation) replaceReplica(p *evidence.Pod, o *outcome, x extremes) {
	if set := sim.snap.OwnerOf(p); set != nil && set.Replicas == 0 {
		o.kind = None // an old pod of a Deployment
		return
	}
	o.kind, o.replaced = Created, plus(min(o.deleted, o.failed), pick(x.late, 0, apiLag))
}

// replaceDaemon: a pod belongs to its node, so it is created again only there.
func (sim *simulation) replaceDaemon(p *evidence.Pod, o *outcome, m *simNode, tl *nodeTimeline, x extremes) {
	down := corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoSchedule}
	switch {
	case m.shutdown && m.back == never && mechanics.Untolerated(sim.tolerationsOf(p), []corev1.Taint{down}) == nil:
		o.kind, o.replaced = Created, o.gone // on a node where nothing can run it
	case m.deleted != never:
		o.kind = None
	case o.deletedBy == byTaint && o.gone != never && m.outOfService == never && sim.staysDaemon(p, o.gone, m, tl):
		o.kind, o.replaced = Created, plus(o.gone, pick(x.late, 0, apiLag))
	case o.gone != never && tl.ready != never && m.outOfService == never:
		o.kind, o.replaced = Created, max(o.gone, tl.ready)
	default:
		o.kind = Waits
	}
}

// staysDaemon reports whether the DaemonSet wants a pod on the node at that time: the taints are tolerated, for any duration
// (kubernetes pkg/controller/daemon/daemon_controller.go NodeShouldRunDaemonPod, v1.36.3).
func (sim *simulation) staysDaemon(p *evidence.Pod, at time.Duration, m *simNode, tl *nodeTimeline) bool {
	taints := slices.Clone(m.node.Spec.Taints)
	for _, h := range tl.taints {
		if h.From <= at && at < h.To {
			taints = append(taints, h.Taint)
		}
	}
	return p.Spec != nil && mechanics.Untolerated(sim.tolerationsOf(p), taints) == nil
}

// delayOrderedSets: a StatefulSet with OrderedReady creates no pod while one with a lower number is not ready or is
// Terminating.
func (sim *simulation) delayOrderedSets(outcomes map[*evidence.Pod]*outcome) {
	for _, pods := range sim.sets {
		for i, p := range pods {
			o := outcomes[p]
			if o == nil || o.replaced == never {
				continue
			}
			for _, lower := range pods[:i] {
				o.replaced = max(o.replaced, sim.unblocksAt(lower, outcomes[lower], o.replaced))
			}
			o.starts = max(o.starts, o.replaced)
		}
	}
}

// unblocksAt returns when a pod with a lower number no longer blocks the others.
func (sim *simulation) unblocksAt(p *evidence.Pod, o *outcome, at time.Duration) time.Duration {
	switch {
	case o == nil: // on another node
		if p.Ready == evidence.False || p.Deleting() {
			return never
		}
		return always
	case o.deleted != never:
		return o.starts // plus the start of its containers
	case o.unready <= at && at < o.readyAgain, p.Ready == evidence.False && sim.nodes[p.Node].staysDown():
		return o.readyAgain
	}
	return always
}

// findOrderedSets groups the pods of StatefulSets with OrderedReady, by set and in order. It includes sets that are not in the
// evidence.
func (sim *simulation) findOrderedSets() map[evidence.Subject][]*evidence.Pod {
	hit := map[evidence.Subject]bool{}
	key := func(p *evidence.Pod) evidence.Subject {
		return evidence.Subject{Kind: p.Owner.Kind, Namespace: p.Namespace, Name: p.Owner.Name}
	}
	for _, p := range sim.pods {
		if mechanics.Replaces(p) == mechanics.WhenGone {
			if s := sim.snap.OwnerOf(p); s == nil || !s.Parallel {
				hit[key(p)] = true
			}
		}
	}
	out := map[evidence.Subject][]*evidence.Pod{}
	if len(hit) == 0 {
		return out
	}
	for _, p := range sim.snap.Data().Pods {
		if mechanics.Replaces(p) == mechanics.WhenGone && hit[key(p)] {
			out[key(p)] = append(out[key(p)], p)
		}
	}
	for _, pods := range out {
		slices.SortStableFunc(pods, func(a, b *evidence.Pod) int { return ordinal(a.Name) - ordinal(b.Name) })
	}
	return out
}

// ordinal returns the number at the end of a name.
func ordinal(name string) int {
	n, err := strconv.Atoi(name[strings.LastIndexByte(name, '-')+1:])
	if err != nil {
		return -1
	}
	return n
}
