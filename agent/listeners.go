package agent

import (
	"context"
	"encoding/hex"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// listeners reads the listening TCP ports.
func listeners(_ context.Context, h *Host, r *nodereport.Report) error {
	l := &nodereport.Listeners{Complete: true}
	read := 0
	for _, name := range []string{"/proc/1/net/tcp", "/proc/1/net/tcp6"} {
		data, err := h.read(name, 16<<20)
		if err != nil {
			if data, err = h.read(strings.Replace(name, "/1/", "/", 1), 16<<20); err != nil {
				continue
			}
		}
		read++
		l.Complete = l.Complete && len(data) < 16<<20
		for line := range strings.Lines(string(data)) {
			if s, ok := parseSocket(line); ok && len(l.Sockets) < 1000 {
				l.Sockets = append(l.Sockets, s)
			}
		}
	}
	if read == 0 {
		return errors.New("/proc/net/tcp cannot be read")
	}
	slices.SortFunc(l.Sockets, func(a, b nodereport.Socket) int {
		if a.Port != b.Port {
			return a.Port - b.Port
		}
		return strings.Compare(a.Address, b.Address)
	})
	r.Listeners = l
	return nil
}

// parseSocket parses a line of /proc/net/tcp; state 0A is LISTEN (proc_net_tcp(5)).
func parseSocket(line string) (nodereport.Socket, bool) {
	f := strings.Fields(line)
	if len(f) < 4 || f[3] != "0A" {
		return nodereport.Socket{}, false
	}
	address, port, ok := strings.Cut(f[1], ":")
	n, err := strconv.ParseUint(port, 16, 16)
	raw, err2 := hex.DecodeString(address)
	if !ok || err != nil || err2 != nil || len(raw)%4 != 0 {
		return nodereport.Socket{}, false
	}
	for i := 0; i < len(raw); i += 4 { // words in host byte order, which is little-endian on all kubelet platforms
		slices.Reverse(raw[i : i+4])
	}
	ip, ok := netip.AddrFromSlice(raw)
	if !ok {
		return nodereport.Socket{}, false
	}
	return nodereport.Socket{Address: ip.Unmap().String(), Port: int(n), Ref: ip.Unmap().String() + ":" + strconv.Itoa(int(n))}, true
}
