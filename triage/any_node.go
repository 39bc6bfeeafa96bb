package triage

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// anyNode reports whether the root is about a pod whose node is unknown, in evidence of several nodes. Such a pod does not explain
// the state of one node.
func (g *graph) anyNode(root place, of evidence.Subject) bool {
	return root.subject.Kind == "Pod" && root.anywhere && of.Kind == "Node" && g.several
}

// perhapsOn returns a pod of the finding that would explain the symptom if the pod is on that node.
func (g *graph) perhapsOn(f Finding, s Symptom) (evidence.Subject, bool) {
	if s.ExplainedBy != "" || f.mild() || f.anywhere.IsZero() || s.Subject.Kind != "Node" {
		return evidence.Subject{}, false
	}
	return f.anywhere, g.several && g.in.Catalog.Explains(f.Cause, s.ID)
}

// whichNode returns a gap for each pod with an unknown node that would explain a symptom of a node if it is there.
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
				What: "on which node pod " + pod.Namespace + "/" + pod.Name + " is", Why: "its node is not in the evidence; if it is " + s.Subject.Name + ", this explains " + s.ID,
				How: shell.Format("kubectl get pod -n {namespace} {pod} -o wide", pod.Namespace, pod.Name),
			})
		}
	}
	return out
}
