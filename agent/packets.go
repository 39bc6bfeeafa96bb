package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// sentAndLost is what the kernel has counted of the network up to a time since the boot.
type sentAndLost struct {
	At    time.Duration `json:"at"`
	Lines []tally       `json:"lines"`
}

// tally is that of one name: tcp, or a network card.
type tally struct {
	Name string `json:"name"`
	Sent uint64 `json:"sent"`
	Lost uint64 `json:"lost"`
	ref  string
}

const (
	asks    = 20              // requests to the API server between the two counts: an idle node sends next to nothing
	askSpan = 4 * time.Second // within this time; without loss they take a tenth of a second
)

// packets counts the segments of TCP that had to be sent again and the packets that cards dropped: since the boot, and between two
// looks. Where there was no look before, it counts twice and asks the API server twenty times in between whether it lives, since
// an idle node sends next to nothing. The agent counts from look to look and sends nothing.
func packets(ctx context.Context, h *Host, r *nodereport.Report) error {
	mark := &h.before.packets
	mark.mu.Lock()
	defer mark.mu.Unlock()
	now, err := h.tallies()
	if err != nil {
		return err
	}
	answered := 0
	if mark.was.Lines == nil {
		mark.was = sentAndLost{h.system.running(), now}
		if !h.paced {
			answered = h.talk(ctx)
		}
		if now, err = h.tallies(); err != nil {
			return err
		}
	}
	at := h.system.running()
	for _, c := range now {
		l := nodereport.Loss{Name: c.Name, Sent: c.Sent, Lost: c.Lost, Answered: answered, Ref: c.ref}
		for _, before := range mark.was.Lines {
			if before.Name == c.Name && before.Sent <= c.Sent && before.Lost <= c.Lost {
				l.Window, l.WindowSent, l.WindowLost = (at - mark.was.At).Round(time.Millisecond), c.Sent-before.Sent, c.Lost-before.Lost
			}
		}
		r.Losses = append(r.Losses, l)
	}
	mark.was = sentAndLost{at, now}
	return nil
}

// talk asks the API server whether it lives, over one connection, again and again, and counts the answers. What was sent again is
// told by the counters.
func (h *Host) talk(ctx context.Context) (answered int) {
	w, err := h.wayToServer(ctx, &nodereport.Report{})
	if w == nil || err != nil {
		return 0 // the probe of the API server tells why
	}
	ctx, cancel := context.WithTimeout(ctx, askSpan)
	defer cancel()
	transport := &http.Transport{DialContext: h.system.dial, TLSClientConfig: w.config, TLSHandshakeTimeout: askSpan}
	defer transport.CloseIdleConnections()
	for range asks {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, w.target, nil)
		if err != nil {
			return answered
		}
		q.Header.Set("User-Agent", "nodetriage")
		response, err := transport.RoundTrip(q)
		if err != nil {
			return answered
		}
		_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
		response.Body.Close()
		if err != nil {
			return answered
		}
		answered++
	}
	return answered
}

// tallies reads the counters of the node's own network, which is that of its first process.
func (h *Host) tallies() ([]tally, error) {
	snmp, err := h.read("/proc/1/net/snmp", maxFile)
	if err != nil {
		return nil, err
	}
	tcp := pairs(string(snmp), "Tcp:")
	sent, ok := tcp["OutSegs"]
	if !ok {
		return nil, errors.New("/proc/1/net/snmp counts no segments of TCP")
	}
	again := tcp["RetransSegs"]
	ref := fmt.Sprintf("OutSegs %d, RetransSegs %d", sent, again)
	// A connection that nobody answers is no loss: the peer may not be there.
	if opening := pairs(h.text("/proc/1/net/netstat"), "TcpExt:")["TCPSynRetrans"]; opening <= again {
		again -= opening
		ref += fmt.Sprintf(", of these TCPSynRetrans %d", opening)
	}
	out := []tally{{Name: "tcp", Sent: sent, Lost: again, ref: ref}}
	for line := range strings.Lines(h.text("/proc/1/net/dev")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		f := strings.Fields(rest)
		if len(f) < 12 || podLink(name) || len(out) == maxNamedLinks {
			continue
		}
		n := func(i int) uint64 { v, _ := strconv.ParseUint(f[i], 10, 64); return v }
		out = append(out, tally{
			Name: name, Sent: n(1) + n(9), Lost: n(2) + n(3) + n(10) + n(11),
			ref: fmt.Sprintf("%s received %d packets, %d errors, %d dropped; sent %d, %d errors, %d dropped", name, n(1), n(2), n(3), n(9), n(10), n(11)),
		})
	}
	return out, nil
}

// pairs reads a table of /proc/net/snmp: a line of names and one of numbers, both with the same head.
func pairs(text, head string) map[string]uint64 {
	var names []string
	out := map[string]uint64{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != head {
			continue
		}
		if names == nil {
			names = f
			continue
		}
		for i := 1; i < min(len(names), len(f)); i++ {
			if n, err := strconv.ParseUint(f[i], 10, 64); err == nil {
				out[names[i]] = n
			}
		}
		break
	}
	return out
}
