package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage limits one message of a client. It has room for the longest text of triage_text with escapes.
const maxMessage = 8 << 20

// Stdio serves one client over a reader and a writer until the reader ends.
func Stdio(ctx context.Context, s *sdk.Server, in io.ReadCloser, out io.WriteCloser) error {
	err := s.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxMessage})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Limits of the HTTP server.
const (
	headerTime  = 10 * time.Second
	idleSession = 30 * time.Minute
	shutdown    = 2 * time.Second
	maxHeader   = 32 << 10
)

// HTTP serves clients that have the token, over streamable HTTP, until the context ends. The listener must be on a loopback address.
func HTTP(ctx context.Context, s *sdk.Server, at net.Listener, token string) error {
	server := &http.Server{Handler: guarded(s, token), ReadHeaderTimeout: headerTime, MaxHeaderBytes: maxHeader}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(at) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return server.Close()
	}
	return nil
}

// Loopback reports whether a listener can only be reached from this machine.
func Loopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// guarded returns the handler of the server. It rejects hosts and origins that are not this machine, so that a web page that a
// person opens cannot reach it, and requests without the token.
func guarded(s *sdk.Server, token string) http.Handler {
	inner := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{
		SessionTimeout: idleSession, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
	})
	want := sha256.Sum256([]byte("Bearer " + token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		switch {
		case !local(r.Host):
			http.Error(w, "forbidden: the Host header is not a loopback address", http.StatusForbidden)
		case !localOrigin(r.Header.Values("Origin")):
			http.Error(w, "forbidden: the Origin header is not a loopback address", http.StatusForbidden)
		case subtle.ConstantTimeCompare(got[:], want[:]) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "unauthorized: send the token in the header Authorization: Bearer TOKEN", http.StatusUnauthorized)
		default:
			inner.ServeHTTP(w, r)
		}
	})
}

// local reports whether a host, with or without a port, is this machine.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// localOrigin reports whether no origin is given, or one of this machine.
func localOrigin(origins []string) bool {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || !local(u.Host) {
			return false
		}
	}
	return true
}

// CheckToken returns an error if a token is too short to be secret, or cannot be sent in a header.
func CheckToken(token string) error {
	if len(token) < shortest || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("the token must have at least %d printable characters without spaces", shortest)
	}
	return nil
}

// shortest is the least length of a token.
const shortest = 16
