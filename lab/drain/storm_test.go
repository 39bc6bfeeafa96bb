//go:build unix

package drain_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"k8s.io/client-go/rest"
)

// behind returns a kubeconfig for the API server behind a proxy that spoils some responses; n counts requests.
func behind(t *testing.T, spoil func(n int64, w http.ResponseWriter, r *http.Request) bool) string {
	t.Helper()
	config, err := plane.Config()
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Transport: transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, ErrorLog: log.New(io.Discard, "", 0),
	}
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !spoil(n.Add(1), w, r) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	kubeconfig, err := plane.Behind("storm-"+strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-")), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func say(w http.ResponseWriter, code int, reason string) bool {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":"spoiled","code":%d}`, reason, code)
	return true
}

// A server that is overloaded, fails, or loses responses makes a drain slow, never wrong.
func TestStorms(t *testing.T) {
	storms := map[string]func(n int64, w http.ResponseWriter, r *http.Request) bool{
		"throttled": func(n int64, w http.ResponseWriter, r *http.Request) bool {
			return n%2 == 0 && say(w, http.StatusTooManyRequests, "TooManyRequests")
		},
		"broken": func(n int64, w http.ResponseWriter, r *http.Request) bool {
			return n%3 == 0 && say(w, http.StatusInternalServerError, "InternalError")
		},
		"answers lost": func(n int64, w http.ResponseWriter, r *http.Request) bool {
			if n%3 != 0 || r.Method == http.MethodGet {
				return false
			}
			config, _ := plane.Config()
			transport, _ := rest.TransportFor(config)
			out := r.Clone(r.Context())
			target, _ := url.Parse(config.Host)
			out.URL.Scheme, out.URL.Host, out.RequestURI = target.Scheme, target.Host, ""
			if answer, err := transport.RoundTrip(out); err == nil {
				answer.Body.Close()
			}
			panic(http.ErrAbortHandler) // done, but the response is lost
		},
	}
	for name, storm := range storms {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.crowd(func() { s.deployment("web", 4, 1) }, "w1", "w2")
			s.budget("web", maxUnavailable(1), "web")
			lowest := s.lowest("web")
			r := start(t, behind(t, storm), "w1", "w2", "--anyway")
			if code := r.wait(t); code != drained || len(s.on("w1"))+len(s.on("w2")) > 0 {
				t.Fatalf("exit code %d\n%s", code, r)
			}
			if n := lowest(); n < 3 {
				t.Errorf("only %d of 4 pods served at a time", n)
			}
		})
	}
}
