package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Connections checks connection attempts from the node: to the API server, the kubelet itself, registries, the cloud's metadata
// service.
var Connections = &triage.Rule{
	ID:    "report-connections",
	Doc:   "Reads the results of curl, nc, telnet and ping on the node.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: facts.AfterReport,
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, c := range r.Connections {
				peer := peerOf(c)
				if peer.Cause == "" {
					continue
				}
				ref := facts.ReportRef(r, c.Ref, strings.TrimSpace(c.Tool+" "+c.Target), "%s", c.Message)
				claim := triage.Claim{
					Says: peer.Cause, Subject: subject, Certainty: triage.Likely, Evidence: []evidence.Ref{ref}, Key: "connection",
					Summary: fmt.Sprintf("%s (%s) cannot be reached from the node: %s", peer.Name, c.Target, c.Answer),
				}
				switch {
				case c.Answer == "ok" && c.Peer == "api-server" && c.Status == 401:
					claim.Says, claim.Key = "kubelet-auth-rejected", "request"
					claim.Summary = fmt.Sprintf("the API server (%s) rejects the kubelet's credential (401 Unauthorized)", c.Target)
				case c.Answer == "ok" && c.Peer == "api-server" && c.Status >= 500:
					claim.Says, claim.Certainty, claim.Key = "control-plane-degraded", triage.Possible, "request"
					claim.Summary = fmt.Sprintf("the API server (%s) answers %d: %s", c.Target, c.Status, c.Message)
				case c.Answer == "ok":
					p.RuleOut(peer.Cause, subject, fmt.Sprintf("%s (%s) answers", peer.Name, c.Target))
					if peer.Cause == "apiserver-unreachable" {
						p.RuleOut("network-partition", subject, fmt.Sprintf("%s (%s) answers the node", peer.Name, c.Target))
					}
					continue
				case peer.Cause == "kubelet-stopped" && c.Answer == "refused" && kubeletRuns(r):
					continue // judgeListeners reports it
				case c.Answer == "dns":
					claim.Says = "node-dns-failure"
					claim.Summary = fmt.Sprintf("the name of %s (%s) does not resolve on the node", peer.Name, c.Target)
				case c.Answer == "error":
					p.Unknown("whether the node reaches "+peer.Name, "the attempt failed for another reason: "+c.Message, shell.Format("curl -vk {target}", c.Target))
					continue
				case c.Answer == "tls":
					claim.Says, claim.Certainty = "tls-failure", ""
				case c.Tool == "ping", subject.IsZero():
					claim.Certainty = triage.Possible // many hosts do not answer ping, and the source of the attempt is unknown
				}
				facts.FoundByReport(p, r, claim)
			}
		})
	},
	// The target is known, so it was not an attempt to leave the cluster.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		return slices.ContainsFunc(p.Snapshot.NodeReports(), func(r *nodereport.Report) bool {
			return r.Source == m.Ref.Source && slices.ContainsFunc(r.Connections, func(c nodereport.Connection) bool {
				return c.Message == wording.Cut(strings.TrimSpace(m.Ref.Text), 300) && peerOf(c).Cause != ""
			})
		})
	},
}

func peerOf(c nodereport.Connection) facts.Peer {
	if peer, told := peers[c.Peer]; told {
		return peer
	}
	return facts.PeerOf(c.Target)
}

// peers are the targets that an agent connects to itself, and so can name.
var peers = map[string]facts.Peer{
	"api-server": {Name: "the API server", Cause: "apiserver-unreachable"},
	"kubelet":    {Name: "the kubelet", Cause: "kubelet-stopped"},
	"metadata":   {Name: "the metadata service", Cause: "cloud-metadata-failure"},
}
