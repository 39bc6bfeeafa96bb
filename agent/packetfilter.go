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

// packetFilter reads the packet filter rules of the kernel: whether iptables, nftables or ipvs has rules, their owners,
// and the default policy for packets of pods. It does not query unused tables because the kernel would create them.
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

// sameNetwork returns an error if this process has another network namespace than the node. The inode of the kernel's
// NETLINK_ROUTE socket is unique per network namespace, and reading it needs no access to process 1.
func (h *Host) sameNetwork() error {
	theirs := kernelSocket(h.text("/proc/1/net/netlink"))
	ours, err := os.ReadFile("/proc/self/net/netlink")
	switch {
	case err != nil:
		return fmt.Errorf("check whether this is the network namespace of the node: %w", bare(err))
	case theirs == "":
		return errors.New("/proc/1/net/netlink does not show whether this is the network namespace of the node")
	case theirs != kernelSocket(string(ours)):
		return errors.New("this process is not in the network namespace of the node: its pod needs hostNetwork")
	}
	return nil
}

// kernelSocket returns the inode of the kernel's NETLINK_ROUTE socket in a table of netlink sockets.
func kernelSocket(table string) string {
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) == 10 && f[1] == "0" && f[2] == "0" {
			return f[9]
		}
	}
	return ""
}

// hostChains are host programs by the prefix of their chains.
var hostChains = []struct{ prefix, owner string }{
	{"ufw", "ufw"}, {"INPUT_ZONES", "firewalld"}, {"FORWARD_direct", "firewalld"}, {"FORWARD_IN_ZONES", "firewalld"}, {"FORWARD_ZONES", "firewalld"}, {"IP-MASQ", "ip-masq-agent"},
}

// ownerOfChain returns the component or host program that owns a chain; empty: unknown.
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

// hooks are the netfilter hooks by the names of built-in iptables chains.
var hooks = []string{"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"}

// mostForward bounds the recorded rules of FORWARD.
const mostForward = 40

// countRule counts one rule of a chain. It records the targets of FORWARD in order, without consecutive duplicates.
func countRule(b *nodereport.Backend, table, chain, goes string) {
	b.Rules++
	if owner := ownerOfChain(table, chain); owner != "" {
		if b.Owners == nil {
			b.Owners = map[string]int{}
		}
		b.Owners[owner]++
	}
	if table == "filter" && chain == "FORWARD" && goes != "" {
		recordForward(b, goes)
	}
}

func recordForward(b *nodereport.Backend, goes string) {
	n := len(b.Forward)
	duplicate := n > 0 && b.Forward[n-1] == goes
	if n < mostForward && !duplicate {
		b.Forward = append(b.Forward, goes)
	}
}

// countDrop counts a rule in a hook chain that drops every packet.
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
	if key := table + " " + hook; b.Policies[key] != "DROP" { // with several chains on one hook, one DROP is enough
		b.Policies[key] = verdict
	}
}
