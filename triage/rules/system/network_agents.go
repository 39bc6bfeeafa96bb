package system

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// NetworkAgents checks the pods of the network plugin: an agent that crashes on a node, a plugin whose pods are pending while no
// agent runs, and a cluster without a plugin.
var NetworkAgents = &triage.Rule{
	ID:    "network-agents",
	Doc:   "Finds network agents that crash, and network plugins that never became ready.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		found, working := 0, 0
		var waiting []*evidence.Pod
		for _, pod := range p.Snapshot.Pods() {
			if facts.NetworkAgent(pod.Name) != "" {
				found++
				if pod.Works() {
					working++
				} else {
					crashingAgent(p, pod)
				}
				continue
			}
			if components.OfNetwork(pod.Name) && pod.Phase == corev1.PodPending && !facts.Young(p, pod) {
				waiting = append(waiting, pod)
			}
		}
		asking := facts.Said(p, "cni-uninitialized")
		asking = slices.DeleteFunc(asking, func(m *evidence.Match) bool { return facts.NamesCause(p, m, "cni-not-installed") })
		c := triage.Claim{Says: "cni-not-installed", Subject: evidence.ClusterSubject(), Certainty: triage.Possible}
		switch {
		case working > 0 && len(asking) > 0:
			p.RuleOut("cni-not-installed", evidence.ClusterSubject(), fmt.Sprintf("%s running", wording.Count(working, "network agent")))
		case found > 0:
		case len(waiting) > 0:
			for _, pod := range waiting[:min(len(waiting), 3)] {
				c.Evidence = append(c.Evidence, facts.PodRef(pod, ".status.phase", "Pending"))
			}
			c.Summary = fmt.Sprintf("%s of the network plugin pending, and no network agent is running on any node that was read", wording.Count(len(waiting), "pod"))
			p.Found(c)
		case len(asking) > 0 && p.Snapshot.Covers(evidence.Pods) == evidence.Complete && !p.Snapshot.Source().OneNode():
			c.Certainty = triage.Likely
			c.Summary = noAgent(len(p.Snapshot.Pods()))
			said := map[evidence.Subject]bool{}
			for _, m := range asking {
				if c.Subject, c.Evidence = without(p.Snapshot, m), []evidence.Ref{m.Ref}; !said[c.Subject] {
					said[c.Subject] = true
					p.Found(c)
				}
			}
		case len(asking) > 0:
			p.Unknown("whether a network plugin is installed", "not all pods were read", "kubectl get pods -A -o wide")
		}
	},
}

// noAgent says that a node waits for a network plugin, and that no pod is one of its agents.
func noAgent(pods int) string {
	if pods == 0 {
		return "a node waits for a network plugin, and the cluster has no pods"
	}
	return fmt.Sprintf("a node waits for a network plugin, and no known network agent is among the %s of the cluster", wording.Count(pods, "pod"))
}

// without returns what has no network plugin: the node of the message if another node is Ready and so has one, or else the cluster.
func without(s *evidence.Snapshot, m *evidence.Match) evidence.Subject {
	node := s.NodeOf(m.Subject)
	other := func(n *evidence.Node) bool { return n.Name != node && n.Ready() == evidence.True }
	if node != "" && slices.ContainsFunc(s.Nodes(), other) {
		return evidence.NodeSubject(node)
	}
	return evidence.ClusterSubject()
}

func crashingAgent(p *triage.Pass, pod *evidence.Pod) {
	if !crashing(p, pod) {
		return
	}
	p.Found(triage.Claim{
		Says: "cni-agent-crash", Subject: pod.NodeOrPod(), Certainty: triage.Likely,
		Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s, %d restarts", pod.Status, pod.Restarts)},
		Summary:  fmt.Sprintf("network agent %s is in %s", pod.Key(), pod.Status),
		Fill:     map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node},
	})
}
