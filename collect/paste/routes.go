package paste

import (
	"net/netip"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// startRoute reads a line of ip route: "default via 10.0.0.1 dev eth0", "10.244.1.0/24 dev cni0 scope link".
func startRoute(p *page, l line) reader {
	f := strings.Fields(l.text)
	at := 0
	if len(f) > 1 && (f[0] == "blackhole" || f[0] == "unreachable" || f[0] == "prohibit") {
		at = 1
	}
	if len(f) < at+2 || f[at] != "default" && !isPrefix(f[at]) {
		return nil
	}
	route := nodereport.Route{Destination: f[at], Ref: quote(l)}
	if at == 1 {
		route.Device = f[0]
	}
	for i := at + 1; i+1 < len(f); i++ {
		switch f[i] {
		case "via":
			if !isAddress(f[i+1]) {
				return nil
			}
			route.Via = f[i+1]
		case "dev":
			route.Device = f[i+1]
		}
	}
	if route.Via == "" && route.Device == "" || at == 0 && f[1] != "via" && f[1] != "dev" && f[1] != "proto" && f[1] != "nhid" {
		return nil
	}
	p.addRoute(route, l)
	return done
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
	if len(f) < 8 || f[0] != "Destination" || f[1] != "Gateway" || f[2] != "Genmask" {
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
