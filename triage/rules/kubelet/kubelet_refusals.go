package kubelet

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Refusals reads which requests a working kubelet does not answer. For /stats/summary and /metrics it queries the runtime
// (kubernetes pkg/kubelet/server/stats/summary.go and pkg/kubelet/metrics/collectors, 1.36.3), for /configz it does not. With a
// stopped runtime the first fails at once, with a hanging runtime both time out. SignatureMatches reads answers that are errors.
var Refusals = &triage.Rule{
	ID:    "kubelet-refusals",
	Doc:   "Finds kubelets that answer all requests except those for which the kubelet must call the container runtime.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			summary, metrics := silentTo(k, "/stats/summary"), silentTo(k, "/metrics")
			switch {
			case !summary && !metrics:
			case summary && metrics && answersOthers(k) && runtimeAlone(p, k):
				strength := triage.Possible
				if facts.SaysRuntimeDown(p, k.Node) {
					strength = triage.Likely
				}
				p.Found(triage.Claim{
					Says: "runtime-hung", Subject: evidence.NodeSubject(k.Node), Certainty: strength, Key: "silent",
					Evidence: []evidence.Ref{silenceRef(k, "/stats/summary"), silenceRef(k, "/metrics")},
					Summary:  "the kubelet answers, except requests that need the container runtime: the runtime seems to hang",
				})
			default:
				p.Unknown("whether the runtime of "+k.Node+" answers", "its kubelet did not answer requests that need the runtime",
					shell.Format("nodetriage diagnose {node}, in a minute; on the node: nodetriage node-check, or timeout 10 crictl pods", k.Node))
				if n := p.Snapshot.Node(k.Node); n == nil || n.Ready() != evidence.True {
					continue // its condition already shows the problem
				}
				c := triage.Claim{Says: "deadline-exceeded", Subject: evidence.NodeSubject(k.Node), Key: "silent"}
				for _, path := range []string{"/stats/summary", "/metrics"} {
					if silentTo(k, path) {
						c.Evidence = append(c.Evidence, silenceRef(k, path))
					}
				}
				p.Found(c)
			}
		}
	},
}

// runtimeAlone reports whether only the runtime keeps the kubelet from answering. A kubelet that does not answer for its journal
// either, which needs no runtime, is only slow. A runtime that just started a container works.
func runtimeAlone(p *triage.Pass, k *evidence.Kubelet) bool {
	return !silentTo(k, "/logs/") && !slices.ContainsFunc(p.Snapshot.PodsOn(k.Node), func(pod *evidence.Pod) bool {
		return k.TakenAt.Sub(pod.Started) < justStarted
	})
}

// justStarted is how recently a runtime must have started a container to be known to work: collecting the evidence may take half of
// it.
const justStarted = 20 * time.Second

// silentTo reports whether the kubelet accepted the request and did not answer in time.
func silentTo(k *evidence.Kubelet, path string) bool {
	return slices.ContainsFunc(k.Refusals, func(r evidence.KubeletRefusal) bool { return r.Path == path && r.Status == 0 })
}

func silenceRef(k *evidence.Kubelet, path string) evidence.Ref {
	return evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: path, Text: "no answer in time; other requests were answered", ObservedAt: k.TakenAt}
}

// answersOthers reports whether the kubelet answered the requests that do not need its runtime.
func answersOthers(k *evidence.Kubelet) bool { return k.Healthz != "" && k.Config != nil }
