package cloud

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// reached matches the address in errors of tools that could not reach it: nc, curl, dial errors and lookups.
var reached = lazyregexp.New(`(?i)(?:connect to |\bnc (?:-\w+ )*|https?://|lookup |resolve host: ?|blocked: )([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)+)(?:(?: port |:| )(\d{1,5})\b)?`)

// namedHosts returns the addresses that the messages could not reach, each with its port.
func namedHosts(word []*evidence.Match) (hosts []string) {
	seen := map[string]bool{}
	for _, m := range word {
		for _, text := range facts.Texts(m) {
			for _, g := range reached.FindAllStringSubmatch(text, maxNamed) {
				host := strings.ToLower(g[1])
				if g[2] == "" {
					g[2] = "443"
				}
				if host += ":" + g[2]; !seen[host] && len(hosts) < maxNamed {
					seen[host] = true
					hosts = append(hosts, host)
				}
			}
		}
	}
	return hosts
}

const maxNamed = 5

// requiredHosts compares the addresses that nodes name with the required endpoints of their cluster.
func requiredHosts(p *triage.Pass, hosts []string) (refs []evidence.Ref) {
	for _, r := range facts.Resources[*evidence.CloudRequired](p) {
		for _, required := range r.Endpoints {
			for _, host := range hosts {
				if sameAddress(required, host) {
					refs = append(refs, facts.CloudRef(r, "endpoints", fmt.Sprintf("%s is a required outbound endpoint (%s)", host, facts.OrUnknown(r.Category))))
				}
			}
		}
	}
	return refs
}

// sameAddress compares an address with a required endpoint, which may begin with a wildcard.
func sameAddress(required, host string) bool {
	required = strings.ToLower(required)
	if rest, wild := strings.CutPrefix(required, "*"); wild {
		return strings.HasSuffix(host, rest)
	}
	return required == host
}

// admitted records a gap if nodes do not reach an API server with authorized IP ranges: their own address may not be included. The
// service adds its own addresses, but not those of a firewall or gateway of the network.
func admitted(p *triage.Pass) {
	c := facts.CloudCluster(p)
	if c == nil || len(c.Admitted) == 0 || len(facts.LinesSaying(p, "provision-apiserver-blocked")) == 0 {
		return
	}
	p.Unknown("whether the API server accepts the nodes' address", "it accepts only "+strings.Join(c.Admitted, ",")+"; the outbound type of the nodes is "+facts.OrUnknown(c.Outbound)+", and their address was not read",
		"check the outbound address of the load balancer, gateway or firewall; if it is missing: "+facts.Cloud(p).Command(advice.AdmitAddresses, clusterID(p)))
}

// clusterID returns the ID of the managed cluster, or "" if it is unknown.
func clusterID(p *triage.Pass) string {
	if c := facts.CloudCluster(p); c != nil && c.ID != "" {
		return c.ID
	}
	return ""
}

// detectors returns the command that shows the problems that the cloud itself detects in the cluster.
func detectors(p *triage.Pass) shell.Text {
	return facts.Cloud(p).Command(advice.ShowProblems, clusterID(p))
}
