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

const maxServers = 3 // as in resolv.conf(5)

// lookup queries each resolver of the node for a name and returns the addresses, those of /etc/hosts first, like the
// kubelet.
func (h *Host) lookup(ctx context.Context, name string, r *nodereport.Report) []string {
	if found := h.hosts(name); len(found) > 0 {
		r.Lookups = append(r.Lookups, nodereport.Lookup{Name: name, Server: "/etc/hosts", Answer: "ok", Addresses: found, Ref: "/etc/hosts: " + name})
		return found
	}
	servers := h.resolvers()
	if len(servers) == 0 {
		gap(r, "name resolution", errors.New("/etc/resolv.conf contains no nameserver"), "cat /etc/resolv.conf")
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

// resolveBy queries one resolver for a name, over only UDP or TCP, or with the usual TCP fallback. It returns the
// addresses and the result for the report.
func (h *Host) resolveBy(ctx context.Context, by, server, name string) ([]string, string) {
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.lookup)
	defer cancel()
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		if by != "" {
			network = by
		}
		return h.system.dial(ctx, network, net.JoinHostPort(server, "53"))
	}}
	// A trailing dot prevents the use of this process's search list.
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
	case strings.Contains(err.Error(), syscall.EPERM.Error()): // the kernel returns EPERM if a packet filter drops the packet
		return nil, "filtered"
	}
	if answer := wordFor(err); answer != "dns" {
		return nil, answer
	}
	return nil, "error"
}

// hosts returns the addresses of a name in /etc/hosts of the node.
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

// resolvers returns the name servers in resolv.conf of the node.
func (h *Host) resolvers() []string { return nameServers(h.text(resolverFile)) }

// nameServers returns the name servers of a resolv.conf, at most as many as the resolver uses.
func nameServers(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "nameserver" && net.ParseIP(f[1]) != nil && len(out) < maxServers {
			out = append(out, f[1])
		}
	}
	return out
}
