package simulate

import (
	"github.com/nodetriage/nodetriage/evidence"
)

// joined is what all tellings say together.
type joined struct {
	nodes map[string]*joinedNode
	pods  map[*evidence.Pod]*joinedPod
}

type joinedNode struct {
	unready, ready, evicts, freed around
	flip                          bool
}

type joinedPod struct {
	unready, readyAgain, deleted, gone, replaced, starts around
	fate                                                 Fate
	kind                                                 ReplacementKind
	deletedBy, goneBy                                    []cause
	room                                                 room
	contested                                            bool // others may take the room that it waits for
}

// worse orders the fates: where tellings differ, the worst is told, and that it is only possible.
var worse = map[Fate]int{Stays: 0, NeverMoves: 1, Evicted: 2, StuckTerminating: 3, Lost: 4}

func (w *world) join() *joined {
	j := &joined{map[string]*joinedNode{}, map[*evidence.Pod]*joinedPod{}}
	for _, l := range w.tellings() {
		t := w.follows(l)
		for _, m := range w.list {
			n, c := j.nodes[m.name], t.courses[m.name]
			if n == nil {
				n = &joinedNode{}
				j.nodes[m.name] = n
			}
			n.unready.add(c.unready)
			n.ready.add(c.ready)
			n.evicts.add(c.evicts)
			n.freed.add(c.freed)
			n.flip = n.flip || c.flip
		}
		for _, p := range w.pods {
			w.joinPod(j, p, t.outcomes[p])
		}
	}
	return j
}

func (w *world) joinPod(j *joined, p *evidence.Pod, o *outcome) {
	k := j.pods[p]
	if k == nil {
		k = &joinedPod{fate: Stays, kind: o.kind}
		j.pods[p] = k
	}
	k.unready.add(o.unready)
	k.readyAgain.add(o.readyAgain)
	k.deleted.add(o.deleted)
	k.gone.add(o.gone)
	k.replaced.add(o.replaced)
	k.starts.add(o.starts)
	if fate := o.fate(p, w.machines[p.Node]); worse[fate] >= worse[k.fate] {
		k.fate = fate
	}
	if o.deleted != never && (k.kind == None || k.kind == Waits) {
		k.kind = o.kind
	}
	k.deletedBy = noted(k.deletedBy, o.deletedBy)
	k.goneBy = noted(k.goneBy, o.goneBy)
}

// noted keeps every cause once, in the order in which they came up.
func noted(list []cause, c cause) []cause {
	if c == nobody {
		return list
	}
	for _, known := range list {
		if known == c {
			return list
		}
	}
	return append(list, c)
}
