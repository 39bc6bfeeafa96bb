package system

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Pods finds pods of the system namespaces that do not run although their node works: what nodes and
// upgrades depend on.
var Pods = &triage.Rule{
	ID:    "system-pods",
	Doc:   "Finds kube-system pods that are not ready, Pending or crashing.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		bad, all, working := 0, 0, 0
		for _, pod := range p.Snapshot.Pods() {
			if !evidence.SystemNamespace(pod.Namespace) || pod.Finished() || pod.Deleting() || pod.Status == "" && pod.Phase == "" {
				continue // one that only an event names has no state
			}
			all++
			if pod.Works() {
				working++
				continue
			}
			if facts.Young(p, pod) {
				continue
			}
			if n := p.Snapshot.Node(pod.Node); n != nil && n.NotReady() {
				continue // the node's fault
			}
			bad++
			if isProxy(pod) && crashing(p, pod) {
				continue // told by a rule of its own
			}
			p.Found(triage.Claim{
				// More often a consequence than a cause, so never more than possible.
				Says: "system-pods-not-running", Subject: pod.Subject(), Confidence: triage.Possible,
				Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s, %d of %d containers ready, %d restarts", pod.Status, pod.ReadyCount, pod.Total, pod.Restarts)},
			})
		}
		if bad == 0 && all > 0 {
			p.RuleOut("system-pods-not-running", evidence.ClusterSubject(),
				fmt.Sprintf("%d of %s of the system namespaces run, the others are young or on a node that is not Ready", working, wording.Count(all, "pod")))
		}
	},
}
