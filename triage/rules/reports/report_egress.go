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
	Doc:   "Reads the ways out of the node that were tried on request: names, connections, certificates and answers.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, peer := range []string{"resolver", "cluster-dns", "api-server", "registry", "metadata", "identity", "provider", "packages"} {
				judgeWays(p, subject, r, peer)
			}
		})
	},
}

// judgeWays checks all targets of one kind of peer together: one of two failed resolvers is less severe than both.
func judgeWays(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, peer string) {
	var bad []nodereport.Egress
	all := 0
	for _, e := range r.Egress {
		if e.Peer == peer {
			all++
			if e.Answer != "ok" && e.Answer != "slow" {
				bad = append(bad, e)
			}
		}
	}
	says := causeOfPeer[peer]
	if all > 0 && len(bad) == 0 {
		if p.Catalog.Cause(says) != nil && peer != "identity" && peer != "packages" {
			p.RuleOut(says, subject, fmt.Sprintf("%s: %s", peer, wording.Count(all, "way")+" out tried, all well"))
		}
		return
	}
	for _, e := range bad {
		c := triage.Claim{
			Says: says, Subject: subject, Key: "egress " + e.Target, Certainty: triage.Possible, Severity: catalog.Warning,
			Evidence: []evidence.Ref{facts.ReportRef(r, e.Ref, "egress "+e.Target, "%s", e.Message)},
			Summary:  strings.TrimSuffix(fmt.Sprintf("%s (%s%s): %s", e.Target, e.Need, addressOf(e), said(e)), ": "),
		}
		switch {
		case e.Answer == "error":
			p.Unknown("whether "+facts.TheNode(r.Node)+" reaches "+e.Target, "the attempt failed for another reason: "+e.Message, shell.Format("curl -v {target}", e.Target))
			continue
		case e.Answer == "no-name":
			c.Says = "node-dns-failure"
		case peer == "cluster-dns":
			c.Certainty, c.Severity = "", ""
		case peer == "resolver" && (e.Answer == "udp-only" || e.Answer == "tcp-only"):
		case strings.HasPrefix(e.Answer, "tls"):
			c.Says, c.Certainty, c.Severity = "tls-failure", "", ""
		case peer == "api-server" && e.Answer == "http":
			c.Says = "control-plane-degraded"
		case len(bad) == all && slices.Contains([]string{"api-server", "resolver", "metadata"}, peer):
			c.Certainty, c.Severity = triage.Likely, ""
		}
		p.Found(c)
	}
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
		"no-name": "its name has no address", "no-resolver": "the resolver does not answer", "wrong-answer": "the resolver answers wrongly",
		"udp-only": "the resolver answers over UDP alone", "tcp-only": "the resolver answers over TCP alone", "refused": "refused", "timeout": "no answer, as when a firewall drops the packets",
		"unreachable": "no route", "reset": "the connection is cut", "tls-foreign": "another authority than the node trusts signed the certificate, as when a firewall opens the connection",
		"tls-expired": "the certificate has expired", "tls-not-yet": "the certificate does not hold yet", "tls-name": "the certificate is for another name", "tls": "the handshake fails",
		"proxy-refused": "the proxy refuses it", "proxy-needed": "the way goes through a proxy that this program does not use", "http": "it answers with an error",
	}
	text := words[e.Answer]
	if e.Message != "" {
		text += " (" + e.Message + ")"
	}
	return text
}
