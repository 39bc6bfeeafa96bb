package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// suits reports whether a check, a remedy or a caution is for the evidence of the finding.
func (x *adviser) suits(f catalog.Fit) bool {
	switch {
	case !concerns(f.Variants, x.variants), !x.has(x.here.ground, f.Platforms):
		return false
	case x.said(f.Unless), len(f.When) > 0 && !x.said(f.When):
		return false
	}
	return len(f.Errors) == 0 || len(x.errors) == 0 || shows(x.errors, f.Errors)
}

// answers reports whether something is for the decisive error of the evidence.
func (x *adviser) answers(f catalog.Fit) bool {
	return len(x.errors) > 0 && slices.ContainsFunc(f.Errors, x.errors[0].Is)
}

// proves reports whether the evidence shows a state that a remedy needs: pods of the PodDisruptionBudget that are not healthy. A
// table shows no count: then a pod of the namespace does not work.
func (x *adviser) proves(needs []string) bool {
	if !slices.Contains(needs, catalog.Unhealthy) {
		return false
	}
	s, namespace := x.in.Snapshot, x.fill["namespace"]
	i := slices.IndexFunc(s.PDBs(), func(b *evidence.PDB) bool { return b.Namespace == namespace && b.Name == x.fill["pdb"] })
	if i < 0 {
		return false
	}
	if b := s.PDBs()[i]; b.Counted() {
		return b.Status.CurrentHealthy < b.Status.ExpectedPods
	}
	return slices.ContainsFunc(s.Pods(), func(p *evidence.Pod) bool {
		running := p.Namespace == namespace && p.Stated() && !p.Finished()
		return running && !p.Works()
	})
}

// fitRank returns a number that is lower for something that fits the evidence better: its error, or else its variant, is there. With
// fewer errors it is for this one in particular.
func (x *adviser) fitRank(f catalog.Fit) int {
	if x.answers(f) {
		return exact + len(f.Errors)
	}
	return distance(f.Variants, x.variants)
}

// proven and exact are less than every distance.
const (
	proven = -200 // words of the evidence prove the case
	exact  = -100 // it names the error of the evidence
)

// shows reports whether one of the shown errors can be one of the kinds.
func shows(shown, kinds []logline.Kind) bool {
	return slices.ContainsFunc(shown, func(kind logline.Kind) bool { return slices.ContainsFunc(kinds, kind.Maybe) })
}

// errorsOf returns the kinds of errors in the evidence of a cause that its page distinguishes, the decisive one first.
func errorsOf(cause *catalog.Cause, group []*statement) (out []logline.Kind) {
	kinds := errorsOn(cause)
	if len(kinds) == 0 {
		return nil
	}
	for _, st := range group {
		for _, c := range st.claims {
			for _, e := range c.Evidence {
				kind := logline.DetailOf(e.Text)
				if shows([]logline.Kind{kind}, kinds) && !slices.Contains(out, kind) {
					out = append(out, kind)
				}
			}
		}
	}
	return out
}

// errorsOn returns the kinds of errors that a page distinguishes.
func errorsOn(cause *catalog.Cause) (out []logline.Kind) {
	for _, k := range cause.Confirm {
		out = append(out, k.Errors...)
	}
	for _, r := range cause.Remedies {
		out = append(out, r.Errors...)
	}
	for _, n := range slices.Concat(cause.Cautions, cause.Verify) {
		out = append(out, n.Errors...)
	}
	return out
}

// notes returns the cautions or proofs that are for the evidence of the finding, those of its error or variant first.
func (x *adviser) notes(list []catalog.Note) []shell.Text {
	var out []shell.Text
	for _, n := range inOrder(list, func(n catalog.Note) int { return x.fitRank(n.Fit) }) {
		if text, ok := x.relevant(n.Text); ok && x.suits(n.Fit) {
			out = append(out, text)
		}
	}
	return x.here.texts(out)
}
