package triage

import (
	"maps"
	"slices"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// explain links causes to their effects in order of depth, effects first, so that a root inherits the rank of the whole chain
// below it.
func (g *graph) explain() {
	depth := g.depths()
	ids := slices.Sorted(maps.Keys(g.byID))
	sort.SliceStable(ids, func(i, j int) bool { return depth[ids[i]] < depth[ids[j]] })
	for _, id := range ids {
		if g.in.Catalog.Cause(id) == nil {
			continue
		}
		for _, effect := range ids {
			// A rule's preference orders the two; with Follows one is also the effect of the other. The catalog's link is below.
			if pair, said := g.first[id][effect]; said {
				prefer(g.byID[id], g.byID[effect], pair.Follows)
			}
			if !g.explains(id, effect) {
				continue
			}
			for _, root := range g.byID[id] {
				g.link(root, g.reachable(root, effect))
			}
		}
	}
	for _, root := range g.statements {
		for _, st := range root.effects {
			if st.by == nil || st.by.rank < root.rank {
				st.by = root
			}
		}
	}
}

// link makes the root the explanation of effects. To come before another cause, the root must not be less certain, except that
// likely may come before certain. Symptoms have no such limit.
func (g *graph) link(root *statement, effects []*statement) {
	for _, st := range effects {
		if because := g.reasonNotLinked(root, st); because != "" {
			g.refuse(root, st, because)
			continue
		}
		root.effects = append(root.effects, st)
		if st.cause != nil && !g.follows(st) {
			root.rank = max(root.rank, st.rank+0.001)
		}
	}
}

// reasonNotLinked returns why a root does not explain an effect although the catalog says that it may. It returns "" if the root does.
func (g *graph) reasonNotLinked(root, st *statement) string {
	switch {
	case !related(root.place, st.place) && !sharesVolume(root, st):
		return "they concern different objects"
	case g.pendingBefore(root, st):
		return "the pod was not scheduled before this node became NotReady"
	case g.noReason(root, st):
		return "a user did it, earlier or for another reason"
	case g.shared[root.id] && !root.shared && !g.in.Catalog.Explains(root.id, st.id):
		return "it is not a change that this node shares with others"
	case g.allowsScheduling(root, st):
		return "the pod is not scheduled, and this does not prevent scheduling"
	case onNoNode(root.place) && st.subject.Kind == "Node":
		return "its pod is not scheduled"
	case g.anyNode(root.place, st.subject):
		return "its pod can be on any of several nodes"
	case g.failedAlone(root, st):
		return "several nodes share it, but only this node failed"
	case st.cause != nil:
		return g.reasonNotFirst(root, st)
	}
	return ""
}

// reasonNotFirst returns why a root does not come before another cause. It returns "" if the root does. elsewhere, guessed and tooFar all
// ask whether more than the catalog ties the two: elsewhere for a cause without a node in evidence of several, guessed for
// one that any node may have, tooFar for a certain one, which can stand alone.
func (g *graph) reasonNotFirst(root, st *statement) string {
	switch {
	case !g.follows(st) && !demotes(root.score, st.score):
		return "this is only possible; the other is more certain"
	case g.elsewhere(root, st):
		return "the other names no node and comes from another source, and the evidence covers several nodes"
	case g.guessed(root, st):
		return "the other names no node, and the link between the two was not found"
	case g.shared[root.id] && certainty(st.score) == Certain:
		return "the other is certain, and shows the problem of what the nodes share"
	case g.tooFar(root, st):
		return "the other is certain, and the link between the two was not found"
	}
	return ""
}

// tooFar reports whether a certain cause would be the effect of a less certain one only through a cause that was not found. The
// certain cause then stands by itself.
func (g *graph) tooFar(root, st *statement) bool {
	return certainty(st.score) == Certain && certainty(root.score) != Certain && !g.follows(st) && !g.byWayOfFound(root.id, st.id)
}

// follows reports whether the cause is possible only on a node that has stopped.
func (g *graph) follows(st *statement) bool { return g.in.Catalog.Role(st.id) == catalog.Follows }

// pendingBefore reports whether the effect is on a pod that was Pending before the root's node became unreachable. That node is not
// the reason then.
func (g *graph) pendingBefore(root, st *statement) bool {
	if root.subject.Kind != "Node" || st.subject.Kind != "Pod" || root.place.node == nil || !root.place.node.Silent() {
		return false
	}
	p := g.in.Snapshot.Pod(st.subject.Namespace, st.subject.Name)
	ready := root.place.node.Condition(corev1.NodeReady)
	if ready == nil || ready.LastTransitionTime.IsZero() {
		return false
	}
	if p == nil || p.Node != "" || p.Phase != corev1.PodPending {
		return false
	}
	since := p.Created
	if c := p.Condition(string(corev1.PodScheduled)); c != nil && c.Since.After(since) {
		since = c.Since
	}
	return !since.IsZero() && since.Before(ready.LastTransitionTime.Add(-time.Minute))
}

// allowsScheduling reports whether the effect is on a pod that is not scheduled, and the root, a problem of one node, does not
// prevent scheduling.
func (g *graph) allowsScheduling(root, st *statement) bool {
	return root.place.name != "" && g.unscheduled(st) && !g.preventsScheduling(root.id)
}

// failedAlone reports whether the effect is shared by several nodes, but the root is a problem of one node that did not fail with
// others.
func (g *graph) failedAlone(root, st *statement) bool {
	return root.place.name != "" && g.in.Catalog.Role(st.id) == catalog.Shared && !g.inCohort(root.place.name)
}

// unscheduled reports whether the effect is on a pod that is not scheduled. Only causes that prevent scheduling explain it.
func (g *graph) unscheduled(st *statement) bool {
	if st.subject.Kind != "Pod" {
		return false
	}
	p := g.in.Snapshot.Pod(st.subject.Namespace, st.subject.Name)
	return p != nil && p.Node == "" && pending(p)
}

// pending reports whether a pod is Pending: by the STATUS column of kubectl, or by its phase if that column was not read.
func pending(p *evidence.Pod) bool {
	if p.Status == "" {
		return p.Phase == corev1.PodPending
	}
	return p.Status == "Pending"
}

// noReason reports whether the effect is a person's action and the root is no reason for it: the root began later, or explains it
// only through a cause that was not found.
func (g *graph) noReason(root, st *statement) bool {
	if !g.in.Catalog.Act(st.id) {
		return false
	}
	began, done := root.since(), st.since()
	return began != nil && done != nil && done.Before(began.Add(-time.Second)) || !g.byWayOfFound(root.id, st.id)
}

// explains reports whether a cause can explain another cause or a symptom. Causes with a role, except Worsens, describe how a node
// fails, not why: every cause that stops nodes explains them.
func (g *graph) explains(id, effect string) bool {
	cat := g.in.Catalog
	turnedRound := id == effect || cat.Explains(effect, id)
	if g.shared[id] && g.ofOneNode(effect) && !turnedRound {
		return true
	}
	if g.isFailing(effect) && g.bringsDown(id) && !turnedRound {
		return true
	}
	return cat.Explains(id, effect) && (effect != podPending || g.preventsScheduling(id)) && g.mostDirect(id, effect)
}

// isFailing reports whether a cause only describes how a node fails.
func (g *graph) isFailing(id string) bool {
	role := g.in.Catalog.Role(id)
	return role != "" && role != catalog.Worsens
}

// bringsDown reports whether a cause stops nodes, and for longer than a moment.
func (g *graph) bringsDown(id string) bool {
	return g.in.Catalog.StopsNodes(id) && g.in.Catalog.Role(id) != catalog.Transient
}

// ofOneNode reports whether a cause is a state of a single node.
func (g *graph) ofOneNode(id string) bool {
	cause := g.in.Catalog.Cause(id)
	return cause != nil && cause.Scope == "node"
}

// mostDirect reports whether the cause explains the effect directly, or through a found cause, or no found cause explains it
// directly.
func (g *graph) mostDirect(id, effect string) bool {
	cat := g.in.Catalog
	if cat.Cause(effect) != nil {
		return g.linkedThroughFound(id, effect)
	}
	itself := func(id string) bool { return slices.Contains(cat.Cause(id).Explains, effect) }
	between := func(other string) bool {
		return other != id && cat.Cause(other) != nil && itself(other) && cat.Explains(id, other)
	}
	if itself(id) {
		return true
	}
	other := false
	for found := range g.byID {
		switch {
		case cat.Cause(found) == nil:
		case between(found):
			return true
		case itself(found):
			other = true
		}
	}
	return !other
}

// podPending is the symptom of pods that are not scheduled.
const podPending = "pod-pending"

// preventsScheduling reports whether the cause prevents scheduling, directly or through another cause that was found. Its page names
// pod-pending or a symptom that stops nodes. A longer chain of possible effects does not count.
func (g *graph) preventsScheduling(id string) bool {
	takes := func(id string) bool {
		c := g.in.Catalog.Cause(id)
		return c != nil && slices.ContainsFunc(c.Explains, func(symptom string) bool {
			return symptom == podPending || g.in.Catalog.Stops(symptom) == catalog.Node
		})
	}
	if takes(id) {
		return true
	}
	for between := range g.byID {
		if between != id && takes(between) && g.in.Catalog.Explains(id, between) {
			return true
		}
	}
	return false
}

func (g *graph) inCohort(node string) bool {
	return slices.ContainsFunc(g.cohorts, func(c Cohort) bool { return slices.Contains(c.Nodes, node) })
}

// depths returns, for each id that was found, the length of the longest chain of effects and of causes ranked after it.
func (g *graph) depths() map[string]int {
	depth := map[string]int{}
	var visit func(id string) int
	visit = func(id string) int {
		if d, known := depth[id]; known {
			return d
		}
		d := 0
		for effect := range g.byID {
			if g.explains(id, effect) || g.isFirst(id, effect) {
				d = max(d, 1+visit(effect))
			}
		}
		depth[id] = d
		return d
	}
	for id := range g.byID {
		visit(id)
	}
	return depth
}
