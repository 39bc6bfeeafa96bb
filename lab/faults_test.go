//go:build unix

package lab_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// faulty runs before the real API server and spoils some responses.
type faulty struct {
	real  http.Handler
	fault func(n int, w http.ResponseWriter, r *http.Request) bool

	mu   sync.Mutex
	seen map[string]int // requests by path
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.seen[r.URL.Path]++
	n := f.seen[r.URL.Path]
	f.mu.Unlock()
	if !f.fault(n, w, r) {
		f.real.ServeHTTP(w, r)
	}
}

// behind returns a kubeconfig for the API server with the fault; n counts the requests of one path.
func behind(t *testing.T, fault func(n int, w http.ResponseWriter, r *http.Request) bool) string {
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
		Transport: transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ErrorLog: log.New(io.Discard, "", 0), // it logs every aborted request
	}
	server := httptest.NewServer(&faulty{real: proxy, fault: fault, seen: map[string]int{}})
	t.Cleanup(server.Close)
	kubeconfig, err := plane.Behind("faulty-"+strings.NewReplacer("/", "-", " ", "-").Replace(t.Name()), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func say(w http.ResponseWriter, code int, reason, token string) bool {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","metadata":{"continue":%q},"status":"Failure","reason":%q,"message":"spoiled","code":%d}`, token, reason, code)
	return true
}

const podsPath = "/api/v1/pods"

// A server that is busy, restarts or loses its watch position for a moment costs only time.
func TestPassingFaults(t *testing.T) {
	cases := map[string]func(n int, w http.ResponseWriter, r *http.Request) bool{
		"every path is throttled twice": func(n int, w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Retry-After", "0")
			return n <= 2 && say(w, http.StatusTooManyRequests, "TooManyRequests", "")
		},
		"every path fails once": func(n int, w http.ResponseWriter, r *http.Request) bool {
			return n == 1 && say(w, http.StatusServiceUnavailable, "ServiceUnavailable", "")
		},
		"the pods expire between pages": func(n int, w http.ResponseWriter, r *http.Request) bool {
			return r.URL.Path == podsPath && n == 2 && say(w, http.StatusGone, "Expired", "")
		},
		"connections break inside answers": func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n != 1 || !strings.HasPrefix(r.URL.Path, "/api") {
				return false
			}
			w.Header().Set("Content-Length", "100000")
			w.Write([]byte("k8s\x00"))
			panic(http.ErrAbortHandler)
		},
	}
	for name, fault := range cases {
		t.Run(name, func(t *testing.T) {
			r := diagnose(t, behind(t, fault))
			if r.code != problem || !slices.Equal(r.nodes(), sickNodes()) || len(r.readGaps()) > 0 {
				t.Errorf("want the same as without the fault, got %s", r)
			}
		})
	}
}

// Permanent faults are reported, and the readable evidence is evaluated.
func TestLastingFaults(t *testing.T) {
	cases := map[string]struct {
		fault     func(w http.ResponseWriter, r *http.Request) bool
		what, why string
		options   []string
	}{
		"pods are throttled for good": {func(w http.ResponseWriter, r *http.Request) bool {
			return r.URL.Path == podsPath && say(w, http.StatusTooManyRequests, "TooManyRequests", "")
		}, "pods", "throttled", nil},
		"pods hang": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != podsPath {
				return false
			}
			<-r.Context().Done()
			return true
		}, "pods", "timed out", []string{"--request-timeout=20s"}}, // requests that do not hang may need seconds on a busy host
		"the second page of pods fails": {func(w http.ResponseWriter, r *http.Request) bool {
			return r.URL.Path == podsPath && r.URL.Query().Has("continue") && say(w, http.StatusInternalServerError, "InternalError", "")
		}, "pods", "read in part: page 2 failed, 500 read, 100 remain: unavailable", nil},
		"events are no objects": {func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/api/v1/events" {
				fmt.Fprint(w, "<html>maintenance</html>")
				return true
			}
			return false
		}, "events", "failed", nil},
		"the version fails": {func(w http.ResponseWriter, r *http.Request) bool {
			return r.URL.Path == "/version" && say(w, http.StatusInternalServerError, "InternalError", "")
		}, "the API server's version", "unavailable", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kubeconfig := behind(t, func(n int, w http.ResponseWriter, r *http.Request) bool { return c.fault(w, r) })
			r := diagnose(t, kubeconfig, c.options...)
			if r.code != problem || !slices.Contains(r.nodes(), size.Node(1)) || !strings.HasPrefix(r.gap(c.what), c.why) {
				t.Errorf("want a problem and %q %s, got %s", c.what, c.why, r)
			}
			if r.took > soon {
				t.Errorf("took %s", r.took)
			}
		})
	}
}

// A server that accepts connections and never answers counts as unreachable.
func TestHangingServer(t *testing.T) {
	kubeconfig := behind(t, func(n int, w http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		return true
	})
	r := diagnose(t, kubeconfig, "--request-timeout=1s")
	if r.code != failed || !strings.Contains(r.stderr, "cannot be reached") || r.took > soon {
		t.Errorf("after %s: %s", r.took, r)
	}
}
