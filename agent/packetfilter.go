package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/components"
)

// packetFilter reads the rules for packets out of the kernel: whether iptables, nftables or ipvs has any, whose they are, and what
// happens to a packet of a pod that no rule takes. Tables that nobody uses are not asked for: the kernel would make them.
func packetFilter(_ context.Context, h *Host, r *nodereport.Report) error {
	f := &nodereport.PacketFilter{}
	if text := h.text("/proc/1/net/ip_vs"); text != "" {
		b := nodereport.Backend{Name: "ipvs"}
		for line := range strings.Lines(text) {
			if n := strings.Fields(line); len(n) > 0 && (n[0] == "TCP" || n[0] == "UDP" || n[0] == "SCTP") {
				b.Rules++
			}
		}
		f.Backends = append(f.Backends, b)
	}
	err := h.sameNetwork()
	var got []nodereport.Backend
	if err == nil {
		got, err = h.system.filter(h)
	}
	if err != nil {
		if f.Backends != nil {
			gap(r, "packet filter", err, "iptables-save -c; nft list ruleset")
			r.PacketFilter = f
			return nil
		}
		return err
	}
	f.Backends = append(append([]nodereport.Backend{}, f.Backends...), got...)
	var words []string
	for _, b := range f.Backends {
		words = append(words, fmt.Sprintf("%s: %d rules in %d chains", b.Name, b.Rules, b.Chains))
	}
	f.Ref = strings.Join(words, "; ")
	r.PacketFilter = f
	return nil
}

// sameNetwork is an error where this process is in another network than the node: what the kernel tells it is of that one. Each network
// has a socket of the kernel's own for routes, whose number no other has; to read that needs no right over the first process.
func (h *Host) sameNetwork() error {
	theirs := kernelSocket(h.text("/proc/1/net/netlink"))
	ours, err := os.ReadFile("/proc/self/net/netlink")
	switch {
	case err != nil:
		return fmt.Errorf("tell whether this is the network of the node: %w", bare(err))
	case theirs == "":
		return errors.New("/proc/1/net/netlink does not tell whether this is the network of the node")
	case theirs != kernelSocket(string(ours)):
		return errors.New("this process is in another network than the node: its pod needs hostNetwork")
	}
	return nil
}

// kernelSocket is the inode of the kernel's own socket of NETLINK_ROUTE in a table of netlink sockets.
func kernelSocket(table string) string {
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) == 10 && f[1] == "0" && f[2] == "0" {
			return f[9]
		}
	}
	return ""
}

// hostChains are programs of the host by the beginnings of their chains' names.
var hostChains = []struct{ prefix, owner string }{
	{"ufw", "ufw"}, {"INPUT_ZONES", "firewalld"}, {"FORWARD_direct", "firewalld"}, {"FORWARD_IN_ZONES", "firewalld"}, {"FORWARD_ZONES", "firewalld"}, {"IP-MASQ", "ip-masq-agent"},
}

// ownerOfChain is the program that a chain belongs to, of a component or of the host; empty: not known.
func ownerOfChain(table, chain string) string {
	if c := components.OfRules(table, chain); c != nil {
		return c.Name
	}
	if table == "firewalld" {
		return table
	}
	for _, o := range hostChains {
		if strings.HasPrefix(chain, o.prefix) {
			return o.owner
		}
	}
	return ""
}

// hooks are the places of the kernel, by the names of iptables' own chains.
var hooks = []string{"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"}

// most bounds what is kept of FORWARD.
const mostForward = 40

// rule counts one rule of a chain. What FORWARD jumps to or ends with is kept in its order, each once in a row.
func countRule(b *nodereport.Backend, table, chain, goes string) {
	b.Rules++
	if owner := ownerOfChain(table, chain); owner != "" {
		if b.Owners == nil {
			b.Owners = map[string]int{}
		}
		b.Owners[owner]++
	}
	if n := len(b.Forward); chain == "FORWARD" && table == "filter" && goes != "" && n < mostForward && (n == 0 || b.Forward[n-1] != goes) {
		b.Forward = append(b.Forward, goes)
	}
}

// countDrop counts a rule of a chain at one of the kernel's hooks that lets nothing pass.
func countDrop(b *nodereport.Backend, table, hook, goes string) {
	if goes != "DROP" && goes != "REJECT" {
		return
	}
	if b.Drops == nil {
		b.Drops = map[string]int{}
	}
	b.Drops[table+" "+hook]++
}

func policy(b *nodereport.Backend, table, hook, verdict string) {
	if b.Policies == nil {
		b.Policies = map[string]string{}
	}
	if key := table + " " + hook; b.Policies[key] != "DROP" { // of several chains on one hook, one that drops decides
		b.Policies[key] = verdict
	}
}
