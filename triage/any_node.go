package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/shell"
)

// anyNode reports whether the root is of a pod that may be on any of several nodes: it does not tell why one of them is as it is.
func (g *graph) anyNode(root place, of evidence.Subject) bool {
	return root.subject.Kind == "Pod" && root.anywhere && of.Kind == "Node" && g.severalNodes()
}

// perhapsOn returns a pod of the finding that may be on the node of the symptom, which would then be explained.
func (g *graph) perhapsOn(f Finding, s Symptom) (evidence.Subject, bool) {
	if s.ExplainedBy != "" || f.mild() || !g.in.Catalog.Explains(f.Cause, s.ID) {
		return evidence.Subject{}, false
	}
	i := slices.IndexFunc(f.Subjects, func(of evidence.Subject) bool { return g.anyNode(placeOf(g.in.Snapshot, of), s.Subject) })
	if i < 0 {
		return evidence.Subject{}, false
	}
	return f.Subjects[i], true
}

// whichNode asks for the nodes of pods whose trouble would explain a node's, were they on it.
func (g *graph) whichNode(r *Report) []NotChecked {
	out := []NotChecked{}
	asked := map[evidence.Subject]bool{}
	for _, f := range r.Findings {
		for _, s := range r.Symptoms {
			pod, ok := g.perhapsOn(f, s)
			if !ok || asked[pod] {
				continue
			}
			asked[pod] = true
			out = append(out, NotChecked{
				What: "on which node pod " + pod.Namespace + "/" + pod.Name + " is", Why: "its node was not seen; on " + s.Subject.Name + " it would explain " + s.ID,
				How: shell.Format("kubectl get pod -n {namespace} {pod} -o wide", pod.Namespace, pod.Name),
			})
		}
	}
	return out
}
