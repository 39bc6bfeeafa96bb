package simulate

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/admission"
	"github.com/nodetriage/nodetriage/evidence"
)

// place finds room for the replacements, in the order in which they are created.
func (w *world) place(j *joined) {
	var wanted []*evidence.Pod
	for _, p := range w.pods {
		k := j.pods[p]
		k.place.Fit = UnknownFit
		switch node := w.pinned(p); {
		case k.kind != Created || !k.replaced.seen || p.Owner.Kind == "DaemonSet":
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
	var ask, settled, waiting []Wanted
	for _, p := range wanted {
		k := j.pods[p]
		ask = append(ask, Wanted{p, !k.gone.seen || k.gone.from > k.replaced.to, k.replaced.from >= w.machines[p.Node].back})
	}
	for i, answer := range w.sc.Placer.Place(w.snap, ask, w.after(j)) {
		p := wanted[i]
		k := j.pods[p]
		k.place = answer
		if answer.Fit == Pending && !ask[i].NodesBack && w.machines[p.Node].back != never {
			waiting = append(waiting, Wanted{p, !k.gone.seen, true})
		} else {
			settled = append(settled, ask[i])
		}
	}
	if len(waiting) == 0 {
		return
	}
	answers := w.sc.Placer.Place(w.snap, append(settled, waiting...), w.after(j))
	for i, answer := range answers[len(settled):] {
		p := waiting[i].Like
		if k := j.pods[p]; answer.Fit == Fits {
			answer.Message = "it waits until the node is back"
			k.place = answer
			k.starts.after(j.nodes[p.Node].ready)
			k.starts.after(k.gone)
		}
	}
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
func (w *world) after(j *joined) After {
	a := After{map[string][]corev1.Taint{}, map[string]bool{}, map[string]bool{}}
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
			a.Taints[m.name] = append(a.Taints[m.name], corev1.Taint{Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute})
		}
	}
	for _, p := range w.pods {
		if j.pods[p].gone.seen {
			a.Freed[p.Key()] = true
		}
	}
	return a
}
