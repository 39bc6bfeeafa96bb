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

// sentAndLost has the network counters at a time since boot.
type sentAndLost struct {
	At    time.Duration `json:"at"`
	Lines []tally       `json:"lines"`
}

// tally has the counters of one name: tcp, or a network interface.
type tally struct {
	Name string `json:"name"`
	Sent uint64 `json:"sent"`
	Lost uint64 `json:"lost"`
	ref  string
}

const (
	asks    = 20              // requests between two readings, because an idle node sends almost nothing
	askSpan = 4 * time.Second // timeout; without loss they take a tenth of a second
)

// packets counts TCP retransmissions and dropped packets of interfaces: since boot, and between two snapshots. Without
// a previous snapshot it reads twice and sends twenty liveness requests to the API server in between, because an idle
// node sends almost nothing. The agent counts between snapshots and sends nothing.
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

// talk sends liveness requests to the API server over one connection and counts the responses. The counters show
// retransmissions.
func (h *Host) talk(ctx context.Context) (answered int) {
	w, err := h.wayToServer(ctx, &nodereport.Report{})
	if w == nil || err != nil {
		return 0 // the probe of the API server reports why
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

// tallies reads the counters of the node's network namespace, which is that of process 1.
func (h *Host) tallies() ([]tally, error) {
	snmp, err := h.read("/proc/1/net/snmp", maxFile)
	if err != nil {
		return nil, err
	}
	tcp := pairs(string(snmp), "Tcp:")
	sent, ok := tcp["OutSegs"]
	if !ok {
		return nil, errors.New("/proc/1/net/snmp contains no TCP segments")
	}
	again := tcp["RetransSegs"]
	ref := fmt.Sprintf("OutSegs %d, RetransSegs %d", sent, again)
	// SYN retransmissions are no loss: the peer may not exist.
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

// pairs parses a table of /proc/net/snmp: a line of names and a line of numbers with the same prefix.
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
