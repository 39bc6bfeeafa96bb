package predict

import (
	"github.com/nodetriage/nodetriage/evidence"
)

// envelope is the combined result of all runs.
type envelope struct {
	nodes map[string]*nodeBounds
	pods  map[*evidence.Pod]*podBounds
}

type nodeBounds struct {
	unready, ready, evicts, freed bounds
	flip                          bool
}

type podBounds struct {
	unready, readyAgain, deleted, gone, replaced, starts bounds
	fate                                                 Fate
	kind                                                 ReplacementKind
	deletedBy, goneBy                                    []cause
	room                                                 room
	contested                                            bool // other pods may take the capacity that it waits for
}

// worse orders the fates. If runs differ, the forecast has the worst one and marks it as possible.
var worse = map[Fate]int{Stays: 0, NeverMoves: 1, Evicted: 2, StuckTerminating: 3, Lost: 4}

func (sim *simulation) join() *envelope {
	j := &envelope{map[string]*nodeBounds{}, map[*evidence.Pod]*podBounds{}}
	for _, x := range sim.allExtremes() {
		t := sim.run(x)
		for _, m := range sim.list {
			n, c := j.nodes[m.name], t.timelines[m.name]
			if n == nil {
				n = &nodeBounds{}
				j.nodes[m.name] = n
			}
			n.unready.add(c.unready)
			n.ready.add(c.ready)
			n.evicts.add(c.evicts)
			n.freed.add(c.freed)
			n.flip = n.flip || c.flip
		}
		for _, p := range sim.pods {
			sim.joinPod(j, p, t.outcomes[p])
		}
	}
	return j
}

func (sim *simulation) joinPod(j *envelope, p *evidence.Pod, o *outcome) {
	k := j.pods[p]
	if k == nil {
		k = &podBounds{fate: Stays, kind: o.kind}
		j.pods[p] = k
	}
	k.unready.add(o.unready)
	k.readyAgain.add(o.readyAgain)
	k.deleted.add(o.deleted)
	k.gone.add(o.gone)
	k.replaced.add(o.replaced)
	k.starts.add(o.starts)
	if fate := o.fate(p, sim.nodes[p.Node]); worse[fate] >= worse[k.fate] {
		k.fate = fate
	}
	if o.deleted != never && (k.kind == None || k.kind == Waits) {
		k.kind = o.kind
	}
	k.deletedBy = noted(k.deletedBy, o.deletedBy)
	k.goneBy = noted(k.goneBy, o.goneBy)
}

// noted adds a cause if it is new, and keeps the order.
func noted(list []cause, c cause) []cause {
	if c == noCause {
		return list
	}
	for _, known := range list {
		if known == c {
			return list
		}
	}
	return append(list, c)
}
