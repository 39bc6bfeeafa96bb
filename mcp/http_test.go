package mcp_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/mcp"
)

const token = "a-token-of-this-test"

// served returns the address of a server over HTTP.
func served(t *testing.T) string {
	t.Helper()
	at, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mcp.HTTP(ctx, mcp.New(ofShop()), at, token) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("the server does not end")
		}
	})
	return "http://" + at.Addr().String() + "/"
}

// withToken sends the token with each request.
type withToken struct{}

func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)
	return http.DefaultTransport.RoundTrip(r)
}

// Each tool answers over HTTP.
func TestEachToolOverHTTP(t *testing.T) {
	s := clientOf(t, &sdk.StreamableClientTransport{Endpoint: served(t), HTTPClient: &http.Client{Transport: withToken{}}})
	for tool, args := range everyTool {
		if r := call(t, s, tool, args); r.IsError {
			t.Errorf("%s: %s", tool, textOf(r))
		}
	}
}

// Requests without the token, for another host or from a page of another origin are rejected before anything is read.
func TestWhoMayAsk(t *testing.T) {
	url := served(t)
	for name, c := range map[string]struct {
		host, origin, auth string
		want               int
	}{
		"no token":              {want: http.StatusUnauthorized},
		"wrong token":           {auth: "Bearer wrong", want: http.StatusUnauthorized},
		"token of another kind": {auth: "Basic " + token, want: http.StatusUnauthorized},
		"host":                  {auth: "Bearer " + token, host: "evil.example", want: http.StatusForbidden},
		"host like localhost":   {auth: "Bearer " + token, host: "localhost.evil.example", want: http.StatusForbidden},
		"origin":                {auth: "Bearer " + token, origin: "https://evil.example", want: http.StatusForbidden},
		"null origin":           {auth: "Bearer " + token, origin: "null", want: http.StatusForbidden},
		"local origin":          {auth: "Bearer " + token, origin: "http://localhost:3000", want: http.StatusOK},
		"right":                 {auth: "Bearer " + token, want: http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(hello))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			if c.auth != "" {
				r.Header.Set("Authorization", c.auth)
			}
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.host != "" {
				r.Host = c.host
			}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if answer.StatusCode != c.want {
				t.Errorf("status %d, want %d", answer.StatusCode, c.want)
			}
		})
	}
}

// Only a loopback address is served, and a token is long enough.
func TestLoopback(t *testing.T) {
	for ip, want := range map[string]bool{"127.0.0.1": true, "::1": true, "0.0.0.0": false, "::": false, "10.0.0.1": false} {
		if got := mcp.Loopback(&net.TCPAddr{IP: net.ParseIP(ip)}); got != want {
			t.Errorf("%s: %t", ip, got)
		}
	}
	for value, want := range map[string]bool{token: true, "short": false, "": false, "a token with a space": false, strings.Repeat("é", 20): false} {
		if err := mcp.CheckToken(value); (err == nil) != want {
			t.Errorf("%q: %v", value, err)
		}
	}
}
