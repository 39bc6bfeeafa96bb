package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
)

// justBeaten is the age of a heartbeat at which the next is not due for long: the kubelet renews its lease every ten
// seconds (kubernetes pkg/kubelet/kubelet.go nodeLeaseRenewIntervalFraction, 1.36.3).
const justBeaten = 15 * time.Second

// kubeletPortUnreachable reads how the kubelet's port answered the API server although the node reports: its heartbeats
// arrive, so it lives, and only the way from the API server to it is cut. Logs, exec and metrics fail; nothing else does.
var kubeletPortUnreachable = &triage.Rule{
	ID:    "kubelet-port-unreachable",
	Doc:   "Where the API server, or who asked it for logs, got no connection to the kubelet's port: looks whether the node reports all the same.",
	Needs: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Data().Kubelets {
			n := p.Snapshot.Node(k.Node)
			if n == nil || !reports(p, n) || k.Healthz == "" && k.Error == "" {
				continue
			}
			switch how := answer(k); how {
			case "answer":
				p.RuleOut("kubelet-port-unreachable", n.Subject(), "its kubelet answers the API server")
			case "refused", "silence":
				if fresh, age := beats(p, n.Name); fresh == evidence.True && age > justBeaten {
					p.Unknown("whether the kubelet of "+n.Name+" has just stopped, or only its port cannot be reached",
						fmt.Sprintf("the last heartbeat came %s ago, and the port gives no answer", short(age)), "nodetriage diagnose "+n.Name+", in a minute")
					continue
				}
				c := unreachablePort(n, how, k.Error)
				c.Evidence = append(c.Evidence, evidence.Ref{Source: "kubelet of node/" + k.Node, Locator: "/healthz", Text: k.Error, ObservedAt: k.TakenAt})
				if lease := p.Snapshot.NodeLease(n.Name); lease != nil && !lease.Renewed.IsZero() {
					c.Evidence = append(c.Evidence, leaseRef(lease))
				}
				p.Found(c)
			}
		}
		for _, m := range linesOf(p, "kubelet-port-refused", "kubelet-port-no-route", "kubelet-port-timeout") {
			n := reportingAt(p, m.Ref.Text)
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
}

func unreachablePort(n *evidence.Node, how, text string) triage.Claim {
	c := triage.Claim{
		Says: "kubelet-port-unreachable", Subject: n.Subject(), Confidence: triage.Likely, Key: "answer",
		Fill: map[string]string{"address": internalIP(n)},
	}
	if how == "refused" {
		c.Summary = "the node reports, but connections of the API server to its kubelet's port are refused"
	} else {
		c.Summary = "the node reports, but the API server gets no connection to its kubelet's port"
	}
	if called := dialedAt.FindStringSubmatch(text); called != nil {
		c.Summary += " at " + called[1] + ":10250"
	}
	return c
}

// dialedAt is the address in an error of who called a kubelet.
var dialedAt = lazyregexp.New(`(?:dial tcp[46]? |://)(\[[0-9a-fA-F:]{2,45}\]|[^ :/]{1,80}):10250`)

// reportingAt is the node whose kubelet's port the error is about, if that node reports.
func reportingAt(p *triage.Pass, text string) *evidence.Node {
	found := dialedAt.FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	address := strings.Trim(found[1], "[]")
	for _, n := range p.Snapshot.Data().Nodes {
		if (n.Name == address || internalIP(n) == address) && reports(p, n) {
			return n
		}
	}
	return nil
}

// reports tells whether the node's heartbeats arrive, as far as the evidence knows.
func reports(p *triage.Pass, n *evidence.Node) bool {
	fresh, _ := beats(p, n.Name)
	return fresh == evidence.True || n.Ready() == evidence.True && fresh != evidence.False
}

// linesOf are the matches of some signatures, each line once.
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
