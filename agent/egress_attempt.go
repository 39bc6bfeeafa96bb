package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

func (h *Host) tryWay(ctx context.Context, g goal, names map[string][]string) nodereport.Egress {
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.way)
	defer cancel()
	begin := time.Now()
	a := &attempt{h: h, goal: g, out: nodereport.Egress{Target: g.url.String(), Peer: g.peer, Need: g.need, Address: g.address}}
	if f := a.try(ctx, names); f != nil {
		a.out.Answer, a.out.Message = f.answer, wording.Cut(bareDial(bareURL(f.err)).Error(), 300)
		a.step(f.step, f.start, a.out.Message)
		return a.out
	}
	a.judge(time.Since(begin))
	return a.out
}

// attempt is one try to reach a goal, step by step.
type attempt struct {
	h    *Host
	goal goal
	out  nodereport.Egress
}

// failure is the step at which an attempt ends.
type failure struct {
	step   string
	start  time.Time
	answer string
	err    error
}

// step records a step that began at a time.
func (a *attempt) step(name string, start time.Time, text string) {
	a.out.Steps = append(a.out.Steps, nodereport.Step{Name: name, Took: time.Since(start).Round(time.Microsecond), Text: wording.Cut(text, 200)})
}

// try returns nil if the goal returned a response.
func (a *attempt) try(ctx context.Context, names map[string][]string) *failure {
	to := a.goal.url
	if proxy := a.goal.proxy; proxy != nil {
		to, a.out.Proxy, a.out.Address = proxy, proxy.Redacted(), ""
	}
	if f := a.resolve(ctx, to, names); f != nil {
		return f
	}
	conn, f := a.connect(ctx, to)
	if f != nil {
		return f
	}
	defer conn.Close()
	if f := a.throughProxy(conn); f != nil {
		return f
	}
	secure, f := a.secure(ctx, conn)
	if f != nil {
		return f
	}
	start := time.Now()
	status, err := a.h.askOver(ctx, secure, a.goal)
	if err != nil {
		return &failure{"http", start, wordFor(err), err}
	}
	a.step("http", start, fmt.Sprint(status))
	a.out.Status = status
	return nil
}

// resolve sets the address to connect to, if the goal has none.
func (a *attempt) resolve(ctx context.Context, to *url.URL, names map[string][]string) *failure {
	if a.out.Address != "" {
		return nil
	}
	host := to.Hostname()
	if net.ParseIP(host) != nil {
		a.out.Address = host
		return nil
	}
	start := time.Now()
	found := names[host]
	if found == nil {
		found = a.h.resolve(ctx, host)
	}
	if len(found) == 0 {
		return &failure{"name", start, "no-name", errors.New("no DNS server of the node resolves " + host)}
	}
	a.step("name", start, strings.Join(found, " "))
	a.out.Address = found[0]
	return nil
}

func (a *attempt) connect(ctx context.Context, to *url.URL) (net.Conn, *failure) {
	start := time.Now()
	dial, stop := context.WithTimeout(ctx, a.h.timeouts.step)
	defer stop()
	conn, err := a.h.system.dial(dial, "tcp", net.JoinHostPort(a.out.Address, portOf(to)))
	if err != nil {
		return nil, &failure{"connect", start, wordFor(err), err}
	}
	a.step("connect", start, a.out.Address)
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	return conn, nil
}

// throughProxy opens a tunnel to a goal with TLS. For other goals the proxy gets the request itself.
func (a *attempt) throughProxy(conn net.Conn) *failure {
	g := a.goal
	if g.proxy == nil || g.url.Scheme != "https" {
		return nil
	}
	start := time.Now()
	status, err := tunnel(conn, net.JoinHostPort(g.url.Hostname(), portOf(g.url)), g.proxy.User)
	switch {
	case err != nil:
		return &failure{"proxy", start, wordFor(err), err}
	case status != http.StatusOK:
		a.out.Status = status
		return &failure{"proxy", start, "proxy-refused", fmt.Errorf("the proxy answers %d %s", status, http.StatusText(status))}
	}
	a.step("proxy", start, g.proxy.Redacted())
	return nil
}

// secure returns the connection for the request: with TLS if the goal requires it.
func (a *attempt) secure(ctx context.Context, conn net.Conn) (net.Conn, *failure) {
	if a.goal.url.Scheme != "https" {
		return conn, nil
	}
	start := time.Now()
	secure, issuer, answer, err := a.h.handshake(ctx, conn, a.goal)
	a.out.Issuer = wording.Cut(issuer, 200)
	if err != nil {
		return nil, &failure{"tls", start, answer, err}
	}
	a.step("tls", start, a.out.Issuer)
	return secure, nil
}

// judge sets the answer of a goal that returned a response.
func (a *attempt) judge(took time.Duration) {
	out := &a.out
	out.Answer = "ok"
	switch {
	case out.Status == http.StatusProxyAuthRequired:
		out.Answer, out.Message = "proxy-refused", "the proxy requires a user name and a password"
	case out.Status >= 500:
		out.Answer, out.Message = "http", fmt.Sprintf("it returns %d %s", out.Status, http.StatusText(out.Status))
	case took > a.h.timeouts.slow:
		out.Answer, out.Message = "slow", "it took "+wording.Duration(took)
	}
}
