package workloads

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// LostSandboxes records what a kubelet recreated or stopped without a request through the API: sandboxes that died, and static pods
// whose manifest was removed. Only the node has the reason.
var LostSandboxes = &triage.Rule{
	ID:    "lost-sandboxes",
	Doc:   "Reads events of recreated sandboxes and of static pods that ended. The reason is in the node's logs.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Pods, evidence.Events},
	Reads: []evidence.Kind{evidence.Nodes, evidence.NodeReports},
	Check: func(p *triage.Pass) {
		inside := facts.SeenFromInside(p)
		var anew []string
		for _, e := range p.Snapshot.Events() {
			age, known := p.Age(e.Last)
			if e.Object.Kind != "Pod" || !known || age > facts.Lately {
				continue
			}
			pod := p.Snapshot.Pod(e.Object.Namespace, e.Object.Name)
			switch {
			case e.Reason == "SandboxChanged" && pod != nil && pod.Works() && age > facts.SettledFor:
			case e.Reason == "SandboxChanged" && pod != nil && pod.Restarts > 0:
				p.Found(triage.Claim{Says: "sandbox-lost", Subject: pod.Subject(), Since: e.Last, Evidence: []evidence.Ref{
					{Source: "event of pod/" + pod.Key(), Locator: e.Reason, Text: e.Message, ObservedAt: e.Last},
				}})
				if !inside[pod.Node] {
					anew = append(anew, pod.Key())
				}
			case e.Reason == "Killing" && pod == nil && p.Snapshot.Covers(evidence.Pods) == evidence.Complete:
				n := staticOn(p, e)
				if n == nil || inside[n.Name] {
					continue
				}
				p.Unknown("why static pod "+e.Object.Namespace+"/"+e.Object.Name+" was stopped "+wording.Duration(age)+" ago",
					"its manifest was removed or is invalid; the API does not show which",
					shell.Format("on node {node}: ls -l /etc/kubernetes/manifests; journalctl -u kubelet -n 200 | grep -i manifest", n.Name))
			}
		}
		if len(anew) > 0 {
			p.Unknown("why the sandboxes of "+wording.Some(anew)+" were recreated", "the node was rebooted, or their shims or processes died",
				"on the node: nodetriage node-check; journalctl -u containerd | grep -E 'shim disconnected|ttrpc: closed'")
		}
	},
}

// staticOn returns the node whose static pod the event is about, by the pod name, or nil.
func staticOn(p *triage.Pass, e *evidence.Event) *evidence.Node {
	for _, n := range p.Snapshot.Nodes() {
		if strings.HasSuffix(e.Object.Name, "-"+n.Name) && n.Ready() == evidence.True {
			return n
		}
	}
	return nil
}
