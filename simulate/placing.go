package simulate

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// place finds room for the replacements, in the order in which they are created.
func (w *world) place(j *joined) {
	var wanted []*evidence.Pod
	for _, p := range w.pods {
		k := j.pods[p]
		k.place.Fit = UnknownFit
		if k.kind == Created && k.replaced.seen && p.Owner.Kind != "DaemonSet" {
			wanted = append(wanted, p)
		}
	}
	slices.SortStableFunc(wanted, func(a, b *evidence.Pod) int { return cmp.Compare(j.pods[a].replaced.from, j.pods[b].replaced.from) })
	if w.sc.Placer != nil && len(wanted) > 0 {
		var ask []Wanted
		for _, p := range wanted {
			k := j.pods[p]
			ask = append(ask, Wanted{p, !k.gone.seen || k.gone.from > k.replaced.to, k.replaced.from >= w.machines[p.Node].back})
		}
		for i, answer := range w.sc.Placer.Place(w.snap, ask, w.after(j)) {
			j.pods[wanted[i]].place = answer
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
