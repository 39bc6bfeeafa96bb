package rules

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// networkPods looks at the network plugin's pods: an agent that crashes on a node, and a plugin whose own
// pods wait while no agent runs anywhere.
var networkPods = &triage.Rule{
	ID:    "network-agents",
	Doc:   "Finds network agents that crash, and network plugins that never came up.",
	Needs: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		agents, waiting := 0, []*evidence.Pod(nil)
		for _, pod := range p.Snapshot.Data().Pods {
			if networkAgent(pod.Name) != "" {
				agents++
				crashingAgent(p, pod)
				continue
			}
			if isPlugin(pod.Name) && pod.Phase == corev1.PodPending && !young(p, pod) {
				waiting = append(waiting, pod)
			}
		}
		if agents > 0 || len(waiting) == 0 {
			return
		}
		var refs []evidence.Ref
		for _, pod := range waiting[:min(len(waiting), 3)] {
			refs = append(refs, podRef(pod, ".status.phase", "Pending"))
		}
		p.Found(triage.Claim{
			Says: "cni-not-installed", Subject: evidence.ClusterSubject(), Confidence: triage.Possible, Evidence: refs,
			Summary: fmt.Sprintf("%d pods of the network plugin wait, and no agent of it runs on any node that was seen", len(waiting)),
		})
	},
}

func crashingAgent(p *triage.Pass, pod *evidence.Pod) {
	if pod.Deleting() || young(p, pod) && pod.Status != "CrashLoopBackOff" {
		return
	}
	crashing := strings.Contains(pod.Status, "CrashLoopBackOff") || strings.HasPrefix(pod.Status, "Init:") && strings.Contains(pod.Status, "Error") ||
		pod.Status == "Error" || pod.Status == "RunContainerError"
	if !crashing {
		return
	}
	subject := pod.Subject()
	if pod.Node != "" {
		subject = evidence.NodeSubject(pod.Node)
	}
	p.Found(triage.Claim{
		Says: "cni-agent-crash", Subject: subject, Confidence: triage.Likely,
		Evidence: []evidence.Ref{podRef(pod, ".status", "%s, %d restarts", pod.Status, pod.Restarts)},
		Summary:  fmt.Sprintf("the network agent %s is in %s", pod.Key(), pod.Status),
		Fill:     map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node},
	})
}

// isPlugin tells pods of a network plugin that are no node agents.
func isPlugin(name string) bool {
	for _, prefix := range []string{"calico-", "cilium", "antrea-", "ovnkube-", "kube-ovn-", "tigera-operator", "weave-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
