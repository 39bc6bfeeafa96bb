package agent

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// nameQuestion is a name that a DNS server of the node must resolve.
type nameQuestion struct{ peer, server, name string }

// resolverWays queries each resolver of the node for the name of the API server, over UDP and over TCP. It also queries
// the cluster DNS from the node. It returns the addresses by name.
func (h *Host) resolverWays(ctx context.Context) ([]nodereport.Egress, map[string][]string) {
	names := map[string][]string{}
	name := h.serverName()
	if found := h.hosts(name); len(found) > 0 {
		names[name] = found
	}
	if name == "" {
		name = h.registryName()
	}
	questions := h.nameQuestions(name)
	out, found := make([]nodereport.Egress, len(questions)), make([][]string, len(questions))
	var done sync.WaitGroup
	for i, q := range questions {
		done.Go(func() { out[i], found[i] = h.resolverWay(ctx, q) })
	}
	done.Wait()
	for i, e := range out {
		if e.Peer == "resolver" && names[name] == nil && e.Answer != "wrong-answer" && len(found[i]) > 0 {
			names[name] = found[i]
		}
	}
	for i := range out { // a name that only one resolver does not know exists
		if out[i].Peer == "resolver" && out[i].Answer == "no-name" && len(names[name]) > 0 {
			out[i].Answer, out[i].Message = "wrong-answer", "it reports that the name does not exist, but another DNS server resolves it"
		}
	}
	return out, names
}

// serverName returns the name of the API server in the kubeconfig of the kubelet; empty: it has an address, or is unknown.
func (h *Host) serverName() string {
	s := h.kubelet()
	if s.kubeconfig == "" {
		return ""
	}
	k, err := h.readKubeconfig(s.kubeconfig)
	if err != nil {
		return ""
	}
	u, err := url.Parse(k.server)
	if err != nil || net.ParseIP(u.Hostname()) != nil {
		return ""
	}
	return u.Hostname()
}

// registryName returns the host of the sandbox image, if it has one.
func (h *Host) registryName() string {
	image := h.sandboxImage()
	if !strings.Contains(image, ".") {
		return ""
	}
	name, _, _ := strings.Cut(image, "/")
	name, _, _ = strings.Cut(name, ":")
	return name
}

// nameQuestions returns a question about the name to each resolver of the node, and one to each server of the cluster DNS.
func (h *Host) nameQuestions(name string) []nameQuestion {
	s := h.kubelet()
	var out []nameQuestion
	if name != "" {
		for _, server := range h.resolvers() {
			out = append(out, nameQuestion{"resolver", server, name})
		}
	}
	domain := cmp.Or(s.config.ClusterDomain, "cluster.local")
	for _, server := range s.config.ClusterDNS[:min(len(s.config.ClusterDNS), maxServers)] {
		out = append(out, nameQuestion{"cluster-dns", server, "kubernetes.default.svc." + domain})
	}
	return out
}

func (h *Host) resolverWay(ctx context.Context, q nameQuestion) (nodereport.Egress, []string) {
	out := nodereport.Egress{Target: q.name, Peer: q.peer, Address: q.server, Need: "names"}
	begin := time.Now()
	answers, found := map[string]string{}, []string(nil)
	for _, network := range []string{"udp", "tcp"} {
		start := time.Now()
		got, answer := h.resolveBy(ctx, network, q.server, q.name)
		answers[network] = answer
		if len(got) > 0 {
			found = got
		}
		out.Steps = append(out.Steps, nodereport.Step{Name: network, Took: time.Since(start).Round(time.Microsecond), Text: strings.TrimSpace(answer + " " + strings.Join(got, " "))})
	}
	took := time.Since(begin)
	switch {
	case slices.ContainsFunc(found, leadsNowhere):
		out.Answer, out.Message = "wrong-answer", "it returns "+strings.Join(found, " ")
	case answers["udp"] != "ok" || answers["tcp"] != "ok":
		out.Answer, out.Message = resolverFault(answers["udp"], answers["tcp"])
	case took > h.timeouts.slow:
		out.Answer, out.Message = "slow", "it took "+wording.Duration(took)
	default:
		out.Answer = "ok"
	}
	return out, found
}

// leadsNowhere reports whether an address is never that of another machine.
func leadsNowhere(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && (ip.IsUnspecified() || ip.IsLoopback())
}

// resolverFault returns the answer and the message for a server whose results over UDP and TCP are not both ok.
func resolverFault(udp, tcp string) (answer, message string) {
	const unknown = "no such host"
	switch {
	case udp == "ok" && tcp != unknown:
		return "udp-only", "over TCP: " + tcp + "; answers that are too large for a packet are lost"
	case tcp == "ok" && udp != unknown:
		return "tcp-only", "over UDP: " + udp
	case udp == unknown || tcp == unknown:
		return "no-name", "it reports that the name does not exist"
	case udp == "timeout" && (tcp == "timeout" || tcp == "refused"):
		return "no-resolver", "it does not answer"
	case udp == "filtered":
		return "no-resolver", "the node's packet filter drops packets to it"
	case udp == "refused" || tcp == "refused":
		return "refused", "no DNS server is listening there"
	}
	return "error", udp
}
