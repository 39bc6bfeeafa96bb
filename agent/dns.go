package agent

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

const maxServers = 3 // as resolv.conf(5)

// lookup asks each of the node's resolvers for a name and returns the addresses, those of /etc/hosts first, as the
// kubelet would find them.
func (h *Host) lookup(ctx context.Context, name string, r *nodereport.Report) []string {
	if found := h.hosts(name); len(found) > 0 {
		r.Lookups = append(r.Lookups, nodereport.Lookup{Name: name, Server: "/etc/hosts", Answer: "ok", Addresses: found, Ref: "/etc/hosts: " + name})
		return found
	}
	servers := h.resolvers()
	if len(servers) == 0 {
		gap(r, "name resolution", errors.New("/etc/resolv.conf names no server"), "cat /etc/resolv.conf")
		return nil
	}
	answers := make([]nodereport.Lookup, len(servers))
	var done sync.WaitGroup
	for i, server := range servers {
		done.Go(func() { answers[i] = h.ask(ctx, name, server) })
	}
	done.Wait()
	r.Lookups = append(r.Lookups, answers...)
	for _, a := range answers {
		if len(a.Addresses) > 0 {
			return a.Addresses
		}
	}
	return nil
}

func (h *Host) ask(ctx context.Context, name, server string) nodereport.Lookup {
	out := nodereport.Lookup{Name: name, Server: server}
	out.Addresses, out.Answer = h.resolveBy(ctx, "", server, name)
	out.Ref = server + ": " + name + ": " + out.Answer
	return out
}

// resolveBy asks one resolver for a name, over udp or tcp alone, or as programs do: over TCP what does not fit a packet. It returns the
// addresses and the answer in the words of a report.
func (h *Host) resolveBy(ctx context.Context, by, server, name string) ([]string, string) {
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.lookup)
	defer cancel()
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		if by != "" {
			network = by
		}
		return h.system.dial(ctx, network, net.JoinHostPort(server, "53"))
	}}
	// A name with a dot at its end is asked for as it is, without the search list of this process.
	found, err := resolver.LookupHost(ctx, strings.TrimSuffix(name, ".")+".")
	slices.Sort(found)
	var failed *net.DNSError
	switch {
	case err == nil:
		return found, "ok"
	case errors.As(err, &failed) && failed.IsNotFound:
		return nil, "no such host"
	case errors.As(err, &failed) && failed.IsTimeout:
		return nil, "timeout"
	case strings.Contains(err.Error(), "refused"):
		return nil, "refused"
	case strings.Contains(err.Error(), syscall.EPERM.Error()): // the kernel says so to who sends a packet that its filter drops
		return nil, "filtered"
	}
	if answer := wordFor(err); answer != "dns" {
		return nil, answer
	}
	return nil, "error"
}

// hosts are the addresses of a name in the node's /etc/hosts.
func (h *Host) hosts(name string) []string {
	var out []string
	for line := range strings.Lines(h.text("/etc/hosts")) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) > 1 && slices.ContainsFunc(fields[1:], func(f string) bool { return strings.EqualFold(f, name) }) {
			out = append(out, fields[0])
		}
	}
	return out
}

const resolverFile = "/etc/resolv.conf"

// resolvers are the servers of the node's resolv.conf.
func (h *Host) resolvers() []string { return nameServers(h.text(resolverFile)) }

// nameServers are those that a resolv.conf names, as many as are asked.
func nameServers(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "nameserver" && net.ParseIP(f[1]) != nil && len(out) < maxServers {
			out = append(out, f[1])
		}
	}
	return out
}
