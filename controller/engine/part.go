package engine

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/controller/diagnosis"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// JudgeNode returns the status of a node by its part of the evidence and the rules that need no more (triage.OfNode). It has no cause that
// is only possible: the other rules may find a better one.
func (k *Knowledge) JudgeNode(name string, part *evidence.Snapshot) v1alpha1.NodeDiagnosisStatus {
	in := k.input(part)
	in.Rulebook, in.Nodes = in.Rulebook.OfNode(), []string{name}
	return diagnosis.Likely(diagnosis.Of(name, triage.Run(in), part, k.catalog))
}

// parts judges the nodes whose evidence changed since the last judgement, each by its part. In a large cluster a judgement of
// everything is too expensive after each change. It returns a new judgement if a node that was clear is broken, and whether everything
// has to be judged soon: warnings, causes that nodes share, and the end of a fault need all of the evidence.
func (e *Engine) parts(last *Judgement, now time.Time) (next *Judgement, soon bool) {
	changed, beats := e.store.Changed()
	for _, name := range beats {
		if last.unclear(name) {
			changed = append(changed, name)
		}
	}
	for _, name := range changed {
		status := e.knowledge.JudgeNode(name, e.part(name, now))
		sick := status.Verdict != v1alpha1.VerdictClear
		if last.unclear(name) == sick {
			continue
		}
		soon = true
		if status.Verdict == v1alpha1.VerdictBroken {
			next = last.with(name, status)
			last = next
		}
	}
	return next, soon
}

// part returns the part of the evidence that belongs to a node.
func (e *Engine) part(name string, now time.Time) *evidence.Snapshot {
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Name: e.opt.Name, Node: name}, e.knowledge.signatures)
	b.TakenAt(now)
	e.store.AddNode(b, name)
	return b.Snapshot()
}

// unclear reports whether the verdict of a node is not clear.
func (j *Judgement) unclear(name string) bool {
	_, found := slices.BinarySearch(j.Unclear, name)
	return found
}

// with returns the judgement with a newer status of a node that is not clear.
func (j *Judgement) with(name string, status v1alpha1.NodeDiagnosisStatus) *Judgement {
	out := *j
	out.Unclear = append(slices.Clone(j.Unclear), name)
	slices.Sort(out.Unclear)
	out.nodes = j.nodes.with(name, status)
	return &out
}
