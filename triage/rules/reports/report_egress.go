package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// causeOfPeer maps a peer to the cause if it cannot be reached.
var causeOfPeer = map[string]string{
	"api-server": "apiserver-unreachable", "registry": "registry-unreachable", "metadata": "cloud-metadata-failure", "identity": "cloud-metadata-failure",
	"provider": "provision-outbound-blocked", "packages": "provision-outbound-blocked", "resolver": "node-dns-failure", "cluster-dns": "dns-failure",
}

// Egress checks the outbound connections that node-check --egress tried. Those that the node always needs, API server and DNS, make
// a cause likely; others make it possible.
var Egress = &triage.Rule{
	ID:    "report-egress",
	Doc:   "Reads the egress checks of the node, which run on request: DNS, connections, certificates and answers.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, peer := range []string{"resolver", "cluster-dns", "api-server", "registry", "metadata", "identity", "provider", "packages"} {
				judgeWays(p, subject, r, peer)
			}
		})
	},
}

// essentialPeers are the peers without which a node does not work, if none of their endpoints can be reached.
var essentialPeers = []string{"api-server", "resolver", "metadata"}

// judgeWays checks all targets of one kind of peer together: one of two failed resolvers is less severe than both.
func judgeWays(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, peer string) {
	tried, failed := waysTo(r, peer)
	if tried > 0 && len(failed) == 0 {
		if says := causeOfPeer[peer]; p.Catalog.Cause(says) != nil && peer != "identity" && peer != "packages" {
			p.RuleOut(says, subject, fmt.Sprintf("%s: %s", peer, wording.Count(tried, "endpoint")+" checked, all reachable"))
		}
		return
	}
	for _, e := range failed {
		if e.Answer == "error" {
			p.Unknown("whether "+facts.TheNode(r.Node)+" reaches "+e.Target, "the attempt failed for another reason: "+e.Message, shell.Format("curl -v {target}", e.Target))
			continue
		}
		c := claimOf(e, len(failed) == tried)
		c.Subject, c.Key = subject, "egress "+e.Target
		c.Evidence = []evidence.Ref{facts.ReportRef(r, e.Ref, "egress "+e.Target, "%s", e.Message)}
		c.Summary = strings.TrimSuffix(fmt.Sprintf("%s (%s%s): %s", e.Target, e.Need, addressOf(e), said(e)), ": ")
		p.Found(c)
	}
}

// waysTo returns the number of connections to a kind of peer that were tried, and those that failed.
func waysTo(r *nodereport.Report, peer string) (tried int, failed []nodereport.Egress) {
	for _, e := range r.Egress {
		if e.Peer != peer {
			continue
		}
		tried++
		if e.Answer != "ok" && e.Answer != "slow" {
			failed = append(failed, e)
		}
	}
	return tried, failed
}

// claimOf returns the cause of a failed connection, its certainty and its severity. allFailed: no connection to this kind of peer works.
func claimOf(e nodereport.Egress, allFailed bool) triage.Claim {
	c := triage.Claim{Says: causeOfPeer[e.Peer], Certainty: triage.Possible, Severity: catalog.Warning}
	switch {
	case e.Answer == "no-name":
		c.Says = "node-dns-failure"
	case e.Peer == "cluster-dns":
		c.Certainty, c.Severity = "", ""
	case e.Peer == "resolver" && (e.Answer == "udp-only" || e.Answer == "tcp-only"): // it answers, in one way
	case strings.HasPrefix(e.Answer, "tls"):
		c.Says, c.Certainty, c.Severity = "tls-failure", "", ""
	case e.Peer == "api-server" && e.Answer == "http":
		c.Says = "control-plane-degraded"
	case allFailed && slices.Contains(essentialPeers, e.Peer):
		c.Certainty, c.Severity = triage.Likely, ""
	}
	return c
}

func addressOf(e nodereport.Egress) string {
	switch {
	case e.Proxy != "":
		return " by " + e.Proxy
	case e.Address != "":
		return " at " + e.Address
	}
	return ""
}

// said describes an answer.
func said(e nodereport.Egress) string {
	words := map[string]string{
		"no-name": "its name does not resolve", "no-resolver": "the DNS server does not answer", "wrong-answer": "the DNS server returns a wrong address",
		"udp-only": "the DNS server answers only over UDP", "tcp-only": "the DNS server answers only over TCP", "refused": "refused", "timeout": "no answer (a firewall may drop the packets)",
		"unreachable": "no route", "reset": "connection reset", "tls-foreign": "the certificate is signed by an unknown authority (a firewall may intercept TLS)",
		"tls-expired": "the certificate has expired", "tls-not-yet": "the certificate is not valid yet", "tls-name": "the certificate is for another name", "tls": "the TLS handshake fails",
		"proxy-refused": "the proxy rejects it", "proxy-needed": "it is only reachable through a proxy, which this check does not use", "http": "it returns an error",
	}
	text := words[e.Answer]
	if e.Message != "" {
		text += " (" + e.Message + ")"
	}
	return text
}
