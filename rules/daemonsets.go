package rules

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// daemonSets finds DaemonSets that lack ready pods on nodes that work.
var daemonSets = &triage.Rule{
	ID:    "daemonsets",
	Doc:   "Compares the pods of DaemonSets with the nodes that should run them.",
	Needs: []evidence.Kind{evidence.Workloads},
	Check: func(p *triage.Pass) {
		dead := 0
		for _, n := range p.Snapshot.Data().Nodes {
			if n.NotReady() {
				dead++
			}
		}
		for _, w := range p.Snapshot.Data().Workloads {
			// Pods on dead nodes are unready because of the node; a set short by no more than that is well.
			if w.Kind != "DaemonSet" || w.Replicas < 0 || w.Ready+dead >= w.Replicas {
				continue
			}
			if settling(p, w) {
				continue
			}
			p.Found(triage.Claim{
				Says: "daemonset-incomplete", Subject: w.Subject(), Confidence: triage.Likely, Key: w.Namespace + "/" + w.Name,
				Summary: fmt.Sprintf("DaemonSet %s/%s is ready on %d of %d nodes", w.Namespace, w.Name, w.Ready, w.Replicas),
				Fill:    map[string]string{"name": w.Name, "namespace": w.Namespace},
				Evidence: []evidence.Ref{{
					Source: "daemonset/" + w.Namespace + "/" + w.Name, Locator: ".status",
					Text: fmt.Sprintf("desired=%d current=%d ready=%d available=%d", w.Replicas, w.Current, w.Ready, w.Available),
				}},
			})
		}
	},
}

// settling tells whether all that is missing are young pods.
func settling(p *triage.Pass, w *evidence.Workload) bool {
	missing := w.Replicas - w.Ready
	for _, pod := range p.Snapshot.Data().Pods {
		if pod.Namespace == w.Namespace && pod.Owner.Name == w.Name && !pod.Works() && young(p, pod) {
			missing--
		}
	}
	return missing <= 0
}
