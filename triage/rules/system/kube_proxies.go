package system

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// KubeProxies checks kube-proxy pods: if one crashes, the service rules of its node are not updated.
var KubeProxies = &triage.Rule{
	ID:    "kube-proxies",
	Doc:   "Finds kube-proxy pods that crash.",
	Needs: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, pod := range p.Snapshot.Pods() {
			if !isProxy(pod) || !crashing(p, pod) {
				continue
			}
			p.Found(triage.Claim{
				Says: "kube-proxy-failing", Subject: pod.NodeOrPod(), Certainty: triage.Likely,
				Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s, %d restarts", pod.Status, pod.Restarts)},
				Summary:  fmt.Sprintf("kube-proxy %s is in %s", pod.Key(), pod.Status),
				Fill:     map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node},
			})
		}
	},
}

// crashing reports whether a system pod exits repeatedly. A new one may need a second attempt.
func crashing(p *triage.Pass, pod *evidence.Pod) bool {
	if pod.Deleting() || facts.Young(p, pod) && pod.Status != "CrashLoopBackOff" && pod.Restarts < 2 {
		return false
	}
	if strings.HasPrefix(pod.Status, "Init:") && strings.Contains(pod.Status, "Error") {
		return true
	}
	return strings.Contains(pod.Status, "CrashLoopBackOff") || pod.Status == "Error" || pod.Status == "RunContainerError"
}

func isProxy(p *evidence.Pod) bool {
	return p.Namespace == "kube-system" && (p.Name == "kube-proxy" || strings.HasPrefix(p.Name, "kube-proxy-"))
}
