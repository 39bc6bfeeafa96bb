package agent

import (
	"context"
	"encoding/hex"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// maxNamedLinks bounds the interfaces of pods. A node may have hundreds.
const maxNamedLinks = 64

// links reads network interfaces (state, kind, MTU) and routes. It skips the host ends of veth pairs.
func links(_ context.Context, h *Host, r *nodereport.Report) error {
	entries, err := h.list("/sys/class/net")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if podLink(name) || len(r.Links) == maxNamedLinks {
			continue
		}
		dir := path.Join("/sys/class/net", name)
		state := h.text(dir + "/operstate")
		if state == "" {
			continue // a file, such as bonding_masters
		}
		l := nodereport.Link{Name: name, State: strings.ToUpper(state), Ref: name + " " + state}
		if h.text(dir+"/carrier") == "0" {
			l.Flags = append(l.Flags, "NO-CARRIER")
		}
		if mtu, ok := h.number(dir + "/mtu"); ok && mtu < 1<<20 {
			l.MTU = int(mtu)
		}
		l.Kind = h.linkKind(dir)
		r.Links = append(r.Links, l)
	}
	for line := range strings.Lines(h.text("/proc/1/net/route")) {
		if route, ok := parseRoute(line); ok && len(r.Routes) < 100 {
			r.Routes = append(r.Routes, route)
		}
	}
	for line := range strings.Lines(h.text("/proc/1/net/ipv6_route")) {
		if route, ok := parseRoute6(line); ok && len(r.Routes) < 100 {
			r.Routes = append(r.Routes, route)
		}
	}
	return nil
}

// linkKind returns the kind of an interface, from its DEVTYPE or its folders.
func (h *Host) linkKind(dir string) string {
	for line := range strings.Lines(h.text(dir + "/uevent")) {
		if kind, ok := strings.CutPrefix(strings.TrimSpace(line), "DEVTYPE="); ok {
			return kind
		}
	}
	// ARP hardware types of the kernel's include/uapi/linux/if_arp.h.
	switch h.text(dir + "/type") {
	case "768":
		return "ipip"
	case "65534":
		if strings.HasPrefix(path.Base(dir), "wg") || path.Base(dir) == "flannel-wg" || strings.HasPrefix(path.Base(dir), "wireguard") {
			return "wireguard"
		}
	}
	return ""
}

// parseRoute6 parses the default route from a line of /proc/net/ipv6_route. Other IPv6 routes are skipped.
func parseRoute6(line string) (nodereport.Route, bool) {
	f := strings.Fields(line)
	if len(f) < 10 || strings.Trim(f[0], "0") != "" || f[1] != "00" || f[9] == "lo" {
		return nodereport.Route{}, false
	}
	r := nodereport.Route{Destination: "default", Device: f[9]}
	if raw, err := hex.DecodeString(f[4]); err == nil && len(raw) == 16 {
		if via := netip.AddrFrom16([16]byte(raw)); !via.IsUnspecified() {
			r.Via = via.String()
		}
	}
	r.Ref = strings.TrimSpace("default dev " + r.Device + " via " + r.Via)
	return r, true
}

// podLink reports whether an interface belongs to a pod or is a dummy.
func podLink(name string) bool {
	return name == "lo" || strings.HasPrefix(name, "veth") || strings.HasPrefix(name, "cali") || strings.HasPrefix(name, "lxc")
}

// parseRoute parses a line of /proc/net/route.
func parseRoute(line string) (nodereport.Route, bool) {
	f := strings.Fields(line)
	if len(f) < 8 || f[0] == "Iface" {
		return nodereport.Route{}, false
	}
	to, ok1 := reversedAddress(f[1])
	via, ok2 := reversedAddress(f[2])
	mask, ok3 := reversedAddress(f[7])
	if !ok1 || !ok2 || !ok3 {
		return nodereport.Route{}, false
	}
	ones := 0
	for _, b := range mask.As4() {
		for ; b != 0; b <<= 1 {
			ones++
		}
	}
	r := nodereport.Route{Destination: netip.PrefixFrom(to, ones).String(), Device: f[0]}
	if to.IsUnspecified() && ones == 0 {
		r.Destination = "default"
	}
	if !via.IsUnspecified() {
		r.Via = via.String()
	}
	r.Ref = strings.TrimSpace(r.Destination + " dev " + r.Device + " via " + r.Via)
	return r, true
}

func reversedAddress(s string) (netip.Addr, bool) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != 4 {
		return netip.Addr{}, false
	}
	slices.Reverse(raw)
	return netip.AddrFrom4([4]byte(raw)), true
}
