package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/nodereport"
)

// counts are what the kernel has counted of the network up to a time.
type counts struct {
	mu    sync.Mutex
	at    time.Time
	lines []tally
}

// tally is that of one name: tcp, or a network card.
type tally struct {
	name       string
	sent, lost uint64
	ref        string
}

const (
	asks    = 20              // requests to the API server between the two counts: an idle node sends next to nothing
	askSpan = 4 * time.Second // within this time; without loss they take a tenth of a second
)

// packets counts what was sent and what was lost: since the boot, and since the look before. Where there is none, it counts twice
// and talks to the API server in between.
func packets(ctx context.Context, h *Host, r *nodereport.Report) error {
	h.counts.mu.Lock()
	defer h.counts.mu.Unlock()
	now, err := h.tallies()
	if err != nil {
		return err
	}
	answered := 0
	if h.counts.lines == nil {
		h.counts.lines, h.counts.at = now, h.system.now()
		if !h.paced {
			answered = h.talk(ctx)
		}
		if now, err = h.tallies(); err != nil {
			return err
		}
	}
	at := h.system.now()
	for _, c := range now {
		l := nodereport.Loss{Name: c.name, Sent: c.sent, Lost: c.lost, Answered: answered, Ref: c.ref}
		for _, before := range h.counts.lines {
			if before.name == c.name && before.sent <= c.sent && before.lost <= c.lost {
				l.Window, l.WindowSent, l.WindowLost = at.Sub(h.counts.at).Round(time.Millisecond), c.sent-before.sent, c.lost-before.lost
			}
		}
		r.Losses = append(r.Losses, l)
	}
	h.counts.lines, h.counts.at = now, at
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
	out := []tally{{name: "tcp", sent: sent, lost: again, ref: ref}}
	for line := range strings.Lines(h.text("/proc/1/net/dev")) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		f := strings.Fields(rest)
		if len(f) < 12 || podLink(name) || len(out) == maxNamedLinks {
			continue
		}
		n := func(i int) uint64 { v, _ := strconv.ParseUint(f[i], 10, 64); return v }
		out = append(out, tally{
			name: name, sent: n(1) + n(9), lost: n(2) + n(3) + n(10) + n(11),
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
