package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// kubeletPort reads how the kubelet's port answered the API server: a refused connection comes from a
// machine that lives without a kubelet; an answer from a kubelet whose node is silent means that only its way
// to the API server is broken.
var kubeletPort = &triage.Rule{
	ID:    "kubelet-port",
	Doc:   "Compares the answer of the kubelet's port with the node's heartbeat.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Data().Kubelets {
			n := p.Snapshot.Node(k.Node)
			if n == nil || !n.NotReady() {
				continue
			}
			ref := evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: "/healthz", ObservedAt: k.TakenAt}
			text := strings.ToLower(k.Error)
			switch {
			case n.Silent() && strings.Contains(text, "connection refused"):
				ref.Text = k.Error
				p.Found(triage.Claim{
					Says: "kubelet-stopped", Subject: n.Subject(), Confidence: triage.Likely, Evidence: []evidence.Ref{ref},
					Summary: "the machine answers, but nothing listens on the kubelet's port", Since: since(n),
				})
				p.RuleOut("machine-off", n.Subject(), "the machine refuses connections to port 10250, so it runs and can be reached")
			case n.Silent() && (strings.Contains(text, "no route to host") || strings.Contains(text, "timeout") ||
				strings.Contains(text, "deadline exceeded") || strings.Contains(text, "i/o timeout")):
				ref.Text = k.Error
				p.Found(triage.Claim{
					Says: "node-lost", Subject: n.Subject(), Confidence: triage.Likely, Evidence: []evidence.Ref{ref},
					Summary: "neither heartbeats nor an answer on the kubelet's port: the machine is off, hangs or is cut off", Since: since(n),
				})
			case n.Silent() && k.Healthz != "":
				ref.Text = fmt.Sprintf("%q", k.Healthz)
				p.Found(triage.Claim{
					Says: "network-partition", Subject: n.Subject(), Confidence: triage.Possible, Evidence: []evidence.Ref{ref},
					Summary: "the kubelet answers the API server, but its own heartbeats do not arrive: its way to the API or its credential is broken",
					Since:   since(n),
				})
				p.RuleOut("kubelet-stopped", n.Subject(), "the kubelet answers on its port")
				p.RuleOut("machine-off", n.Subject(), "the kubelet answers on its port")
			}
		}
	},
}
