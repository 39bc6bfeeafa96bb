package system

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// NodeAgents finds nodes without the network agent that the other nodes have. If no node has it, or half of them do not, this is
// intended.
var NodeAgents = &triage.Rule{
	ID:    "node-agents",
	Doc:   "Finds nodes without a network agent if nearly all other nodes have one.",
	Needs: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		on := map[string]map[string]*evidence.Pod{} // plugin -> node -> agent
		for _, pod := range p.Snapshot.Pods() {
			if plugin := facts.NetworkAgent(pod.Name); plugin != "" && pod.Node != "" {
				if on[plugin] == nil {
					on[plugin] = map[string]*evidence.Pod{}
				}
				on[plugin][pod.Node] = pod
			}
		}
		plugin := ""
		for _, c := range components.All() {
			if len(on[c.Name]) > len(on[plugin]) {
				plugin = c.Name
			}
		}
		nodes := p.Snapshot.Nodes()
		if plugin == "" || len(nodes) < 3 || len(on[plugin])*10 < len(nodes)*8 {
			return
		}
		for _, n := range nodes {
			if facts.NewNode(p, n) || on[plugin][n.Name] != nil || !n.NotReady() && !facts.IsTrue(n, "NetworkUnavailable") {
				continue
			}
			if p.Snapshot.Covers(evidence.Pods) != evidence.Complete {
				p.Unknown("whether "+n.Name+" has an agent of "+plugin, "not all pods were read", shell.Format("kubectl get pods -A -o wide --field-selector spec.nodeName={node}", n.Name))
				continue
			}
			var example *evidence.Pod
			for _, other := range nodes {
				if pod := on[plugin][other.Name]; pod != nil {
					example = pod
					break
				}
			}
			p.Found(triage.Claim{
				Says: "daemonset-incomplete", Subject: n.Subject(), Certainty: triage.Likely, Key: "agent", Since: facts.Since(n),
				Fill:    map[string]string{"name": example.Owner.Name, "namespace": example.Namespace},
				Summary: fmt.Sprintf("node %s has no agent of the network plugin %s; %s have one", n.Name, plugin, facts.OfNodes(p, len(on[plugin]), len(nodes))),
				Evidence: []evidence.Ref{
					facts.NodeRef(n, "pods", "no pod named like %s", example.Name),
					facts.PodRef(example, ".spec.nodeName", "%s", example.Node),
				},
			})
		}
		for _, n := range nodes {
			if agent := on[plugin][n.Name]; agent != nil && agent.Works() && n.NotReady() && !n.Silent() {
				p.RuleOut("cni-not-installed", n.Subject(), "its network agent "+agent.Key()+" is running")
			}
		}
	},
}
