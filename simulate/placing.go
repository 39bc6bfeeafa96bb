package simulate

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/admission"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// place finds room for the replacements, in the order in which they are created.
func (w *world) place(j *joined) {
	var wanted []*evidence.Pod
	for _, p := range w.pods {
		k := j.pods[p]
		k.place.Fit = UnknownFit
		switch node := w.pinned(p); {
		case k.kind != Created || !k.replaced.seen || mechanics.Replaces(p) == mechanics.OnSameNode:
		case node != "":
			k.place = w.on(node, k.replaced.from)
		default:
			wanted = append(wanted, p)
		}
	}
	slices.SortStableFunc(wanted, func(a, b *evidence.Pod) int { return cmp.Compare(j.pods[a].replaced.from, j.pods[b].replaced.from) })
	if w.sc.Placer != nil && len(wanted) > 0 {
		w.ask(j, wanted)
	}
	policies := admission.New(w.snap)
	for _, p := range wanted {
		if change := policies.Changed(p); change != nil {
			j.pods[p].place = Place{Fit: UnknownFit, Message: change.String()}
		}
	}
	others := w.others()
	for _, p := range wanted {
		k := j.pods[p]
		volume := w.stuckOn(p, others)
		if volume == "" || w.machines[p.Node].back != never {
			continue
		}
		if k.place.Fit != Pending {
			k.place = Place{Fit: Pending, Message: "no ready node may use its volume " + volume}
		}
	}
}

// ask asks the placer, and once more about pods that have no room before their nodes are back: they wait for that.
func (w *world) ask(j *joined, wanted []*evidence.Pod) {
	var ask, before, back, waiting []Wanted // back: made when the nodes are
	for _, p := range wanted {
		k := j.pods[p]
		ask = append(ask, Wanted{p, !k.gone.seen || k.gone.from > k.replaced.to, k.replaced.from >= w.machines[p.Node].back})
	}
	for i, answer := range w.sc.Placer.Place(w.snap, ask, w.after()) {
		p := wanted[i]
		j.pods[p].place = answer
		switch {
		case ask[i].NodesBack:
			back = append(back, ask[i])
		case answer.Fit == Pending && w.machines[p.Node].back != never:
			waiting = append(waiting, Wanted{p, !j.pods[p].gone.seen, true})
		default:
			before = append(before, ask[i])
		}
	}
	if len(waiting) > 0 {
		for i, answer := range w.sc.Placer.Place(w.snap, slices.Concat(before, back, waiting), w.after())[len(before)+len(back):] {
			p := waiting[i].Like
			if k := j.pods[p]; answer.Fit == Fits {
				answer.Message = "it waits until the node is back"
				k.place = answer
				k.starts.after(j.nodes[p.Node].ready)
				k.starts.after(k.gone)
			}
		}
	}
	w.contest(j, before, slices.Concat(back, waiting))
}

// contest looks for new pods that find room on nodes that are back only if those that are Pending already do not take it:
// the scheduler takes pods of higher priority first; among equals it may be either.
func (w *world) contest(j *joined, before, back []Wanted) {
	var queue []Wanted
	for _, p := range w.snap.Data().Pods {
		if p.Node == "" && p.Spec != nil && len(p.Spec.SchedulingGates) == 0 && !p.Deleting() && !p.Finished() {
			queue = append(queue, Wanted{Like: p, OldStays: true, NodesBack: true})
		}
	}
	if len(queue) == 0 || len(back) == 0 {
		return
	}
	queue = append(queue, back...)
	slices.SortStableFunc(queue, func(a, b Wanted) int { return cmp.Compare(priorityOf(b.Like), priorityOf(a.Like)) })
	var rival *evidence.Pod
	for i, answer := range w.sc.Placer.Place(w.snap, slices.Concat(before, queue), w.after())[len(before):] {
		p := queue[i].Like
		switch k := j.pods[p]; {
		case k == nil && answer.Fit == Fits && rival == nil:
			rival = p
		case k != nil && k.place.Fit == Fits && answer.Fit != Fits && rival != nil:
			k.contested = true
			k.place = Place{Fit: UnknownFit, Message: "there is room for it when the node is back, but pods that are Pending already, like " + rival.Key() + ", may take it"}
		}
	}
}

func priorityOf(p *evidence.Pod) int32 {
	if p.Spec == nil || p.Spec.Priority == nil {
		return 0
	}
	return *p.Spec.Priority
}

// pinned is the node that the template of the pod's controller names: no scheduler is asked about such pods.
func (w *world) pinned(p *evidence.Pod) string {
	if top := w.snap.TopOwnerOf(p); top != nil && top.Template != nil {
		return top.Template.NodeName
	}
	return ""
}

// on is the place of a pod that is bound to the node when it is made.
func (w *world) on(node string, made time.Duration) Place {
	pending := func(why string) Place {
		return Place{Fit: Pending, Message: "its template names node " + node + ", " + why}
	}
	n, m := w.snap.Node(node), w.machines[node]
	switch {
	case m != nil && m.deleted <= made || n == nil && w.snap.Covers(evidence.Nodes) == evidence.Complete:
		return pending("which does not exist")
	case m != nil && m.silent != never && m.back == never, m == nil && n != nil && n.Silent():
		return pending("where no kubelet runs it")
	case n == nil:
		return Place{Fit: UnknownFit}
	}
	return Place{Fit: Fits, Nodes: 1}
}

// after is the cluster in which the replacements are placed.
func (w *world) after() After {
	a := After{map[string][]corev1.Taint{}, map[string]bool{}}
	for _, m := range w.list {
		switch {
		case m.deleted != never:
			a.Gone[m.name] = true
		case m.added != nil:
			a.Taints[m.name] = append(a.Taints[m.name], *m.added)
		case m.silent != never || m.unready.known || m.shutdown:
			a.Taints[m.name] = append(a.Taints[m.name],
				corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoSchedule}, corev1.Taint{Key: m.key(), Effect: corev1.TaintEffectNoExecute})
		}
		if m.outOfService != never {
			a.Taints[m.name] = append(a.Taints[m.name], outOfService)
		}
	}
	return a
}
