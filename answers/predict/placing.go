package predict

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// place finds nodes for the replacements, in the order of their creation.
func (sim *simulation) place(j *envelope) {
	var wanted []*evidence.Pod
	for _, p := range sim.pods {
		k := j.pods[p]
		k.room.verdict = placement.Unknown
		switch node := sim.pinned(p); {
		case k.kind != Created || !k.replaced.seen || mechanics.Replaces(p) == mechanics.OnSameNode:
		case node != "":
			k.room = sim.on(node, k.replaced.from)
		default:
			wanted = append(wanted, p)
		}
	}
	slices.SortStableFunc(wanted, func(a, b *evidence.Pod) int { return cmp.Compare(j.pods[a].replaced.from, j.pods[b].replaced.from) })
	if sim.board != nil && len(wanted) > 0 {
		sim.ask(j, wanted)
	}
	policies := admission.New(sim.snap)
	for _, p := range wanted {
		if change := policies.Changed(p); change != nil {
			j.pods[p].room = room{verdict: placement.Unknown, message: change.String()}
		}
	}
	others := sim.others()
	for _, p := range wanted {
		k := j.pods[p]
		volume := sim.stuckOn(p, others)
		if volume == "" || sim.nodes[p.Node].back != never {
			continue
		}
		if k.room.verdict != placement.Pending {
			k.room = room{verdict: placement.Pending, message: "no Ready node can use its volume " + volume}
		}
	}
}

// ask runs the scheduler. It runs again for pods that do not fit before their nodes return, because they wait for that.
func (sim *simulation) ask(j *envelope, wanted []*evidence.Pod) {
	var ask, before, back, waiting []replacement // back: created after the nodes return
	for _, p := range wanted {
		k := j.pods[p]
		ask = append(ask, replacement{p, !k.gone.seen || k.gone.from > k.replaced.to, k.replaced.from >= sim.nodes[p.Node].back})
	}
	for i, answer := range sim.rooms(ask) {
		p := wanted[i]
		j.pods[p].room = answer
		switch {
		case ask[i].nodesBack:
			back = append(back, ask[i])
		case answer.verdict == placement.Pending && sim.nodes[p.Node].back != never:
			waiting = append(waiting, replacement{p, !j.pods[p].gone.seen, true})
		default:
			before = append(before, ask[i])
		}
	}
	if len(waiting) > 0 {
		for i, answer := range sim.rooms(slices.Concat(before, back, waiting))[len(before)+len(back):] {
			p := waiting[i].like
			if k := j.pods[p]; answer.verdict == placement.Fits {
				answer.message = "it is Pending until the node is back"
				k.room = answer
				k.starts.after(j.nodes[p.Node].ready)
				k.starts.after(k.gone)
			}
		}
	}
	sim.contest(j, before, slices.Concat(back, waiting))
}

// contest handles new pods that fit only on returned nodes. They fit only if the pods that are already Pending do not take the
// capacity. The scheduler takes pods of higher priority first; at the same priority the order is unknown.
func (sim *simulation) contest(j *envelope, before, back []replacement) {
	var queue []replacement
	for _, p := range sim.snap.Data().Pods {
		if inQueue(p) {
			queue = append(queue, replacement{like: p, oldStays: true, nodesBack: true})
		}
	}
	if len(queue) == 0 || len(back) == 0 {
		return
	}
	queue = append(queue, back...)
	slices.SortStableFunc(queue, func(a, b replacement) int { return cmp.Compare(mechanics.Priority(b.like), mechanics.Priority(a.like)) })
	var rival *evidence.Pod
	for i, answer := range sim.rooms(slices.Concat(before, queue))[len(before):] {
		p, fits := queue[i].like, answer.verdict == placement.Fits
		k := j.pods[p]
		switch {
		case k == nil:
			if fits && rival == nil {
				rival = p
			}
		case rival != nil && k.room.verdict == placement.Fits && !fits:
			k.contested = true
			k.room = room{verdict: placement.Unknown, message: "it fits when the node is back, but other Pending pods, for example " + rival.Key() + ", may take the capacity"}
		}
	}
}

// inQueue reports whether the pod is in the scheduler's queue.
func inQueue(p *evidence.Pod) bool {
	unbound := p.Node == "" && !p.Deleting() && !p.Finished()
	return unbound && p.Spec != nil && len(p.Spec.SchedulingGates) == 0
}

// pinned returns the node that the template of the pod's controller names. Such pods bypass the scheduler.
func (sim *simulation) pinned(p *evidence.Pod) string {
	if top := sim.snap.TopOwnerOf(p); top != nil && top.Template != nil {
		return top.Template.NodeName
	}
	return ""
}

// on returns the place of a pod that is created with a node.
func (sim *simulation) on(node string, made time.Duration) room {
	pending := func(why string) room {
		return room{verdict: placement.Pending, message: "its template requires node " + node + ", " + why}
	}
	n, m := sim.snap.Node(node), sim.nodes[node]
	switch {
	case m != nil && m.deleted <= made || n == nil && sim.snap.Covers(evidence.Nodes) == evidence.Complete:
		return pending("which does not exist")
	case m != nil && m.silent != never && m.back == never, m == nil && n != nil && n.Silent():
		return pending("whose kubelet does not run it")
	case n == nil:
		return room{verdict: placement.Unknown}
	}
	return room{verdict: placement.Fits, nodes: 1}
}
