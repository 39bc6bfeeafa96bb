package rules

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportConnections judges what was tried to reach from the node: the API server, the kubelet itself,
// registries, the cloud's metadata.
var reportConnections = &triage.Rule{
	ID:    "report-connections",
	Doc:   "Reads curl, nc, telnet and ping on the node by what they tried to reach.",
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, c := range r.Connections {
				peer, told := peers[c.Peer]
				if !told {
					peer = peerOf(c.Target)
				}
				if peer.cause == "" {
					continue
				}
				ref := reportRef(r, c.Ref, strings.TrimSpace(c.Tool+" "+c.Target), "%s", c.Message)
				claim := triage.Claim{
					Says: peer.cause, Subject: subject, Confidence: triage.Likely, Evidence: []evidence.Ref{ref}, Key: "connection",
					Summary: fmt.Sprintf("%s (%s) cannot be reached from the node: %s", peer.name, c.Target, c.Answer),
				}
				switch {
				case c.Answer == "ok" && c.Peer == "api-server" && c.Status == 401:
					claim.Says, claim.Key = "kubelet-auth-rejected", "request"
					claim.Summary = fmt.Sprintf("the API server (%s) answers 401 Unauthorized to the kubelet's credential", c.Target)
				case c.Answer == "ok" && c.Peer == "api-server" && c.Status >= 500:
					claim.Says, claim.Confidence, claim.Key = "control-plane-degraded", triage.Possible, "request"
					claim.Summary = fmt.Sprintf("the API server (%s) answers %d: %s", c.Target, c.Status, c.Message)
				case c.Answer == "ok":
					p.RuleOut(peer.cause, subject, fmt.Sprintf("%s (%s) answers", peer.name, c.Target))
					if peer.cause == "apiserver-unreachable" {
						p.RuleOut("network-partition", subject, fmt.Sprintf("%s (%s) answers the node", peer.name, c.Target))
					}
					continue
				case peer.cause == "kubelet-stopped" && c.Answer == "refused" && kubeletRuns(r):
					continue // judgeListeners tells
				case c.Answer == "dns":
					claim.Says = "node-dns-failure"
					claim.Summary = fmt.Sprintf("the name of %s (%s) does not resolve on the node", peer.name, c.Target)
				case c.Answer == "error":
					p.Unknown("whether the node reaches "+peer.name, "the attempt failed for another reason: "+c.Message, "curl -vk "+c.Target)
					continue
				case c.Answer == "tls":
					claim.Says, claim.Confidence = "tls-failure", ""
				case c.Tool == "ping", subject.IsZero():
					claim.Confidence = triage.Possible // many hosts answer no ping, and who tried is not told
				}
				p.Found(claim)
			}
		})
	},
}

// peer is who stands behind a target, and what it means that it cannot be reached.
type peer struct{ name, cause string }

// peers are those that an agent reaches for itself, and so can name.
var peers = map[string]peer{
	"api-server": {"the API server", "apiserver-unreachable"},
	"kubelet":    {"the kubelet", "kubelet-stopped"},
	"metadata":   {"the metadata service", "cloud-metadata-failure"},
}

func peerOf(target string) peer {
	t := strings.ToLower(target)
	host := t
	if _, rest, ok := strings.Cut(t, "://"); ok {
		host = rest
	}
	host, _, _ = strings.Cut(host, "/")
	local := strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.")
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		port = host[i+1:]
	}
	switch {
	case local && (port == "10248" || port == "10250"):
		return peer{"the kubelet", "kubelet-stopped"}
	case port == "6443", port == "8443" && !local, apiName(host):
		return peer{"the API server", "apiserver-unreachable"}
	case port == "2379":
		return peer{"etcd", "etcd-unavailable"}
	case strings.HasPrefix(host, "169.254.169.254"), strings.HasPrefix(host, "metadata.google.internal"):
		return peer{"the metadata service", "cloud-metadata-failure"}
	case registryHost(host), strings.Contains(t, "/v2/"):
		return peer{"the registry", "registry-unreachable"}
	}
	return peer{}
}

func registryHost(host string) bool {
	for _, part := range []string{"registry", "mcr.microsoft.com", "quay.io", "gcr.io", "ghcr.io", "docker.io", ".pkg.dev", ".azurecr.io", ".dkr.ecr."} {
		if strings.Contains(host, part) {
			return true
		}
	}
	return false
}
