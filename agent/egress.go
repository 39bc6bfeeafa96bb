package agent

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	egressLimit = 45 * time.Second
	waysAtOnce  = 8
)

// egressProbe runs only on request because it sends packets out of the node.
func egressProbe() probe {
	return probe{"egress", egressLimit, egress, true}
}

// goal is the target of an egress path.
type goal struct {
	url     *url.URL
	peer    string
	need    string
	header  http.Header
	address string // address to use for the name
	proxy   *url.URL
	roots   *x509.CertPool // required CAs; nil: those of the node's system
	name    string         // expected in the certificate; empty: the host
}

// egress tests every egress path in the files of the node and in the list of its provider.
func egress(ctx context.Context, h *Host, r *nodereport.Report) error {
	resolvers, names := h.resolverWays(ctx)
	r.Egress = append(r.Egress, resolvers...)
	goals, err := h.goals(names)
	ways := make([]nodereport.Egress, len(goals))
	free := make(chan struct{}, waysAtOnce)
	var done sync.WaitGroup
	for i, g := range goals {
		free <- struct{}{}
		done.Go(func() {
			defer func() { <-free }()
			ways[i] = h.way(ctx, g, names)
			if w := &ways[i]; ctx.Err() != nil && w.Answer != "ok" { // a path that did not finish has no result
				w.Answer, w.Message = "error", "the time limit of all egress checks was reached"
			}
		})
	}
	done.Wait()
	r.Egress = append(r.Egress, ways...)
	for i := range r.Egress {
		e := &r.Egress[i]
		e.Ref = strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", e.Target, e.Address, e.Answer, e.Message))
	}
	return err
}

// way tests the path to a goal. If it fails directly and works through a configured proxy, it needs that proxy.
func (h *Host) way(ctx context.Context, g goal, names map[string][]string) nodereport.Egress {
	out := h.tryWay(ctx, g, names)
	direct := slices.Contains([]string{"timeout", "refused", "unreachable", "reset"}, out.Answer)
	if g.proxy != nil || !direct || g.peer == "metadata" || g.peer == "identity" {
		return out
	}
	for _, proxy := range h.proxies().any {
		g.proxy = proxy
		through := h.tryWay(ctx, g, names)
		if g.url.Scheme == "http" && through.Status >= http.StatusBadRequest {
			continue // the error may be from the proxy
		}
		if through.Answer == "ok" || through.Answer == "slow" {
			out.Message = wording.Cut(fmt.Sprintf("%s; it works through the proxy %s, which other programs on the node use", out.Message, proxy.Redacted()), 300)
			out.Answer = "proxy-needed"
			return out
		}
	}
	return out
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// tunnel requests a tunnel to the address from a proxy.
func tunnel(conn net.Conn, to string, who *url.Userinfo) (int, error) {
	q := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: to}, Host: to, Header: http.Header{"User-Agent": {"nodetriage"}}}
	if password, ok := who.Password(); ok {
		q.SetBasicAuth(who.Username(), password)
		q.Header["Proxy-Authorization"] = q.Header["Authorization"]
		delete(q.Header, "Authorization")
	}
	if err := q.Write(conn); err != nil {
		return 0, err
	}
	return statusOf(conn, q)
}

// handshake distinguishes the errors of a certificate. A CA that the node does not trust indicates TLS interception.
func (h *Host) handshake(ctx context.Context, conn net.Conn, g goal) (net.Conn, string, string, error) {
	name := g.name
	if name == "" {
		name = g.url.Hostname()
	}
	// The chain is verified below, where each error has a word. Nothing is sent before that.
	secure := tls.Client(conn, &tls.Config{ServerName: name, InsecureSkipVerify: true})
	if err := secure.HandshakeContext(ctx); err != nil {
		answer := wordFor(err)
		if answer == "error" {
			answer = "tls"
		}
		return nil, "", answer, err
	}
	chain := secure.ConnectionState().PeerCertificates
	if len(chain) == 0 {
		return nil, "", "tls", errors.New("it presents no certificate")
	}
	last := chain[len(chain)-1]
	roots := g.roots
	if roots == nil {
		roots = h.systemRoots()
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	_, err := chain[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, DNSName: name, CurrentTime: h.now})
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	switch {
	case err == nil:
		return secure, last.Issuer.String(), "", nil
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && h.now.Before(invalid.Cert.NotBefore):
		return nil, last.Issuer.String(), "tls-not-yet", err
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return nil, last.Issuer.String(), "tls-expired", err
	case errors.As(err, &host):
		return nil, last.Issuer.String(), "tls-name", err
	case errors.As(err, &unknown):
		return nil, last.Issuer.String(), "tls-foreign", fmt.Errorf("signed by %s, which the node does not trust: %w", last.Issuer, err)
	}
	return nil, last.Issuer.String(), "tls", err
}

// systemRoots returns the CAs of the node's system. nil means the CAs of this program's system.
func (h *Host) systemRoots() *x509.CertPool {
	for _, name := range []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"} {
		if data, err := h.read(name, 4<<20); err == nil {
			pool := x509.NewCertPool()
			if pool.AppendCertsFromPEM(data) {
				return pool
			}
		}
	}
	return nil
}

// askOver sends one request without credentials and reads only the head of the response.
func (h *Host) askOver(ctx context.Context, conn net.Conn, g goal) (int, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url.String(), nil)
	if err != nil {
		return 0, err
	}
	if g.header != nil {
		q.Header = g.header.Clone()
	}
	q.Header.Set("User-Agent", "nodetriage")
	q.Close = true
	write := q.Write
	if g.proxy != nil && g.url.Scheme == "http" {
		write = q.WriteProxy
	}
	if err := write(conn); err != nil {
		return 0, err
	}
	return statusOf(conn, q)
}

// statusOf reads the status of a response. The read is bounded because the head may be endless.
func statusOf(conn io.Reader, q *http.Request) (int, error) {
	response, err := http.ReadResponse(oneByOne(conn), q)
	if err != nil {
		return 0, err
	}
	response.Body.Close()
	return response.StatusCode, nil
}
