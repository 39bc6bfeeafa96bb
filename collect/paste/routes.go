package paste

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// startRoute reads a line of ip route: "default via 10.0.0.1 dev eth0", "10.244.1.0/24 dev cni0 scope link".
func startRoute(p *page, l line) reader {
	f := strings.Fields(l.text)
	rejects := "" // the type of a route that drops packets
	if len(f) > 1 && slices.Contains(rejectingRoutes, f[0]) {
		rejects, f = f[0], f[1:]
	}
	if len(f) < 2 || f[0] != "default" && !isPrefix(f[0]) {
		return nil
	}
	if rejects == "" && !slices.Contains(firstAttributes, f[1]) {
		return nil
	}
	route, ok := parseRoute(f, rejects)
	if !ok {
		return nil
	}
	route.Ref = quote(l)
	p.addRoute(route, l)
	return done
}

// rejectingRoutes are the types of routes that drop packets.
var rejectingRoutes = []string{"blackhole", "unreachable", "prohibit"}

// firstAttributes are the words that may follow the destination of a route.
var firstAttributes = []string{"via", "dev", "proto", "nhid"}

// parseRoute parses the words from the destination on. The device of a route that drops packets is its type.
func parseRoute(f []string, device string) (nodereport.Route, bool) {
	route := nodereport.Route{Destination: f[0], Device: device}
	for i := 1; i+1 < len(f); i++ {
		switch f[i] {
		case "via":
			if !isAddress(f[i+1]) {
				return route, false
			}
			route.Via = f[i+1]
		case "dev":
			route.Device = f[i+1]
		}
	}
	return route, route.Via != "" || route.Device != ""
}

func (p *page) addRoute(route nodereport.Route, l line) {
	if p.text.room("routes", l) {
		r := p.node()
		r.Routes = append(r.Routes, route)
	}
}

func isPrefix(s string) bool {
	if _, err := netip.ParsePrefix(s); err == nil {
		return true
	}
	return isAddress(s)
}

// startRouteTable reads route -n and netstat -rn.
func startRouteTable(p *page, l line) reader {
	f := strings.Fields(l.text)
	if len(f) < 8 || !startsWith(f, "Destination", "Gateway", "Genmask") {
		return nil
	}
	return each(func(l line) bool {
		f := strings.Fields(l.text)
		if len(f) != 8 || !isAddress(f[2]) {
			return false
		}
		route := nodereport.Route{Destination: f[0], Device: f[7], Ref: quote(l)}
		if mask, err := netip.ParseAddr(f[2]); err == nil && isAddress(f[0]) {
			route.Destination = f[0] + "/" + maskBits(mask)
		}
		if route.Destination == "0.0.0.0/0" {
			route.Destination = "default"
		}
		if f[1] != "0.0.0.0" && f[1] != "*" {
			route.Via = f[1]
		}
		p.addRoute(route, l)
		return true
	})
}

// maskBits converts 255.255.255.0 to 24.
func maskBits(mask netip.Addr) string {
	n := 0
	for _, b := range mask.AsSlice() {
		for ; b&0x80 != 0; b <<= 1 {
			n++
		}
	}
	return itoa(n)
}
