package nodes

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// known is how long ago a node must have existed to be reported missing. Lists are read at different times, and a node that joins
// meanwhile may be in only one of them.
const known = 30 * time.Second

// MissingNodes finds nodes that no longer exist and have no event about their deletion yet: the node controller checks every
// five seconds. They existed before, and running pods are bound to them. DeletedNodes handles deletions with an event.
var MissingNodes = &triage.Rule{
	ID:    "missing-nodes",
	Doc:   "Finds pods bound to nodes that no longer exist, if no event shows the removal.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events},
	Check: func(p *triage.Pass) {
		if p.Snapshot.Covers(evidence.Nodes) != evidence.Complete {
			return
		}
		told := map[string]bool{}
		for _, e := range p.Snapshot.Events() {
			if e.Reason == "RemovingNode" {
				told[e.Object.Name] = true
			}
		}
		for _, pod := range p.Snapshot.Pods() {
			name := pod.Node
			if name == "" || told[name] || p.Snapshot.Node(name) != nil {
				continue
			}
			told[name] = true
			left := leftOn(p, name)
			if len(left) == 0 || !wasThere(p, name) || missedByCloud(p, name) {
				continue
			}
			p.Found(triage.Claim{
				Says: "node-object-deleted", Subject: evidence.NodeSubject(name), Certainty: triage.Possible, Severity: catalog.Warning, Key: "removed",
				Summary:  "the Node object " + name + " no longer exists; " + wording.Count(len(left), "pod") + " still bound to it",
				Evidence: []evidence.Ref{facts.PodRef(left[0], ".spec.nodeName", "bound to %s, which has no Node object", name)},
			})
		}
	},
}

// wasThere reports whether the node existed well before the evidence was read.
func wasThere(p *triage.Pass, name string) bool {
	before := func(t time.Time) bool {
		age, ok := p.Age(t)
		return ok && age > known
	}
	return slices.ContainsFunc(p.Snapshot.PodsOn(name), func(pod *evidence.Pod) bool { return before(pod.Started) }) ||
		slices.ContainsFunc(p.Snapshot.Events(), func(e *evidence.Event) bool { return e.Object == evidence.NodeSubject(name) && before(e.Last) })
}
