package kubelet

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// PortUnreachable reads how the kubelet's port answered the API server although the node reports. Its heartbeats arrive, so it
// runs, and only the path from the API server to it is cut. Logs, exec and metrics fail; nothing else does.
var PortUnreachable = &triage.Rule{
	ID:    "kubelet-port-unreachable",
	Doc:   "If the API server or a request for logs could not connect to port 10250, checks whether the node still reports.",
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Leases, evidence.Kubelets, evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			n := p.Snapshot.Node(k.Node)
			if n == nil || !facts.Reports(p, n) || k.Healthz == "" && k.Error == "" {
				continue
			}
			switch how := facts.PortAnswer(k); how {
			case "answer":
				p.RuleOut("kubelet-port-unreachable", n.Subject(), "its kubelet answers the API server")
			case "refused", "silence":
				if why := mayHaveStopped(p, k); why != "" {
					p.Unknown("whether the kubelet of "+n.Name+" has just stopped, or only its port is unreachable", why, shell.Format("nodetriage diagnose {node}, in a minute", n.Name))
					continue
				}
				c := unreachablePort(n, how, k.Error)
				c.Evidence = append(c.Evidence, evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: "/healthz", Text: k.Error, ObservedAt: k.TakenAt})
				if lease := p.Snapshot.NodeLease(n.Name); lease != nil && !lease.Renewed.IsZero() {
					c.Evidence = append(c.Evidence, facts.LeaseRef(lease))
				}
				p.Found(c)
			}
		}
		for _, m := range linesOf(p, "kubelet-port-refused", "kubelet-port-no-route", "kubelet-port-timeout") {
			n := facts.ReportingAt(p, m.Ref.Text)
			if n == nil {
				continue
			}
			c := unreachablePort(n, "silence", m.Ref.Text)
			if m.Signature == "kubelet-port-refused" {
				c = unreachablePort(n, "refused", m.Ref.Text)
			}
			c.Evidence, c.Since, c.Key = []evidence.Ref{m.Ref}, m.First, "said"
			p.Found(c)
		}
	},
	// A failed call to a kubelet suggests a lost node; this one reports.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool { return facts.ReportingAt(p, m.Ref.Text) != nil },
}

// mayHaveStopped returns why a kubelet whose port gives no answer may have just stopped; "": it still reports, or nothing indicates
// a stop.
func mayHaveStopped(p *triage.Pass, k *evidence.Kubelet) string {
	if k.Beats != nil {
		if *k.Beats {
			return ""
		}
		return "the port does not answer, and the next heartbeat is overdue"
	}
	if fresh, age := facts.Beats(p, k.Node); fresh == evidence.True && age > mechanics.FreshLease {
		return fmt.Sprintf("the last heartbeat came %s ago, and the port does not answer", wording.Duration(age))
	}
	return ""
}

func unreachablePort(n *evidence.Node, how, text string) triage.Claim {
	c := triage.Claim{
		Says: "kubelet-port-unreachable", Subject: n.Subject(), Certainty: triage.Likely, Key: "answer",
		Fill: map[string]string{"address": facts.InternalIP(n)},
	}
	if how == "refused" {
		c.Summary = "the node sends heartbeats, but refuses connections of the API server to the kubelet"
	} else {
		c.Summary = "the node sends heartbeats, but the API server cannot connect to the kubelet"
	}
	if called := facts.DialedAt.FindStringSubmatch(text); called != nil {
		c.Summary += " at " + called[1] + ":10250"
	}
	return c
}

// linesOf returns the matches of some signatures, each line once.
func linesOf(p *triage.Pass, ids ...string) []*evidence.Match {
	var out []*evidence.Match
	seen := map[string]bool{}
	for _, id := range ids {
		for _, m := range p.Snapshot.MatchesOf(id) {
			if !seen[m.Ref.Text] {
				seen[m.Ref.Text] = true
				out = append(out, m)
			}
		}
	}
	return out
}
