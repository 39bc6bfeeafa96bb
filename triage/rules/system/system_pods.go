package system

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Pods finds pods of the system namespaces that do not run although their node works; nodes and upgrades depend on them. A pod that
// exits repeatedly is reported even if it is new.
var Pods = &triage.Rule{
	ID:    "system-pods",
	Doc:   "Finds kube-system pods that are not ready, Pending or crashing.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Messages},
	Check: func(p *triage.Pass) {
		bad, all, working := 0, 0, 0
		for _, pod := range p.Snapshot.Pods() {
			stateless := pod.Status == "" && pod.Phase == "" // only an event names it
			if stateless || pod.Finished() || pod.Deleting() || !evidence.SystemNamespace(pod.Namespace) {
				continue
			}
			all++
			if pod.Works() {
				working++
				continue
			}
			young := facts.Young(p, pod)
			crashes := crashing(p, pod) || young && pod.Restarts > 1 // just after a restart the status is a different one
			if young && !crashes {
				continue
			}
			if n := p.Snapshot.Node(pod.Node); n != nil && n.NotReady() {
				continue // the node is the reason
			}
			bad++
			if crashes && !heard(p, pod) {
				p.Unknown("why "+pod.Key()+" keeps exiting", "its log is not in the evidence", shell.Format("kubectl logs -n {namespace} {pod} --previous", pod.Namespace, pod.Name))
			}
			if crashes && isProxy(pod) {
				continue // rule kube-proxies reports it
			}
			c := triage.Claim{
				// More often an effect than a cause, so at most possible.
				Says: "system-pods-not-running", Subject: pod.Subject(), Certainty: triage.Possible,
				Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s, %d/%d containers ready, restarts: %d", pod.Status, pod.ReadyCount, pod.Total, pod.Restarts)},
			}
			if young {
				c.Severity = catalog.Warning // what it waits for may still come
			}
			p.Found(c)
		}
		if bad == 0 && all > 0 {
			p.RuleOut("system-pods-not-running", evidence.ClusterSubject(),
				fmt.Sprintf("%d of %s of the system namespaces are running; the others are new or on a NotReady node", working, wording.Count(all, "pod")))
		}
	},
}

// heard reports whether a message of the pod was recognized: in its log, or as its termination message.
func heard(p *triage.Pass, pod *evidence.Pod) bool {
	return slices.ContainsFunc(pod.Containers, func(c evidence.Container) bool { return c.LastMessage != "" }) ||
		slices.ContainsFunc(p.Snapshot.Matches(), func(m *evidence.Match) bool { return m.Kind == evidence.TextLog && m.Subject == pod.Subject() })
}
