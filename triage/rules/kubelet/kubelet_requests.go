package kubelet

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Requests reads how the API server answered a kubelet without heartbeats, from the kubelet's own counters since its start.
var Requests = &triage.Rule{
	ID:    "kubelet-requests",
	Doc:   "Reads the answers that the kubelet of an unreachable node got from the API server: 401 Unauthorized, or no answer.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			n := p.Snapshot.Node(k.Node)
			if n == nil || !n.Silent() {
				continue
			}
			if len(k.Metrics) == 0 {
				p.Unknown("the API server's answers to the kubelet of "+k.Node, "its /metrics were not read",
					shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep rest_client_requests_total", k.Node))
				continue
			}
			denied, _ := facts.Metric(k, `rest_client_requests_total{code="401"}`)
			lost, _ := facts.Metric(k, `rest_client_requests_total{code="<error>"}`)
			good, _ := facts.Metric(k, `rest_client_requests_total{code="200"}`)
			c := triage.Claim{Subject: n.Subject(), Since: facts.Since(n), Key: "requests"}
			switch {
			case denied > 0:
				c.Says, c.Certainty = "kubelet-auth-rejected", triage.Likely
				c.Summary = fmt.Sprintf("the API server rejected %.0f requests of the kubelet with 401 Unauthorized", denied)
				c.Evidence = []evidence.Ref{facts.MetricRef(k, `rest_client_requests_total{code="401"}`)}
			case lost > 0:
				c.Says, c.Certainty = "apiserver-unreachable", triage.Possible
				c.Summary = fmt.Sprintf("the API server did not answer %.0f requests of the kubelet, and answered %.0f", lost, good)
				c.Evidence = []evidence.Ref{facts.MetricRef(k, `rest_client_requests_total{code="<error>"}`)}
			default:
				p.RuleOut("kubelet-auth-rejected", n.Subject(), fmt.Sprintf("none of its %.0f requests was rejected with 401", good))
				continue
			}
			p.Found(c)
		}
	},
}
