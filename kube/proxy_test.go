package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func contextWithTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}

// Errors of the kubelet differ from errors of the API server about the connection.
func TestNodeProxy(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch strings.TrimPrefix(r.URL.Path, "/api/v1/nodes/worker-1/proxy") {
		case "/healthz":
			fmt.Fprint(w, "ok")
		case "/unhealthy":
			http.Error(w, "[-]syncloop failed: reason withheld", http.StatusInternalServerError)
		case "/forbidden":
			refuse(w, http.StatusForbidden, metav1.StatusReasonForbidden, `User "u" cannot get resource "nodes/proxy"`, "")
		case "/dead":
			refuse(w, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable,
				"error trying to reach service: dial tcp 192.0.2.7:10250: connect: connection refused", "")
		case "/logs/":
			fmt.Fprint(w, r.URL.Query().Get("query"))
		case "/silent":
			<-r.Context().Done()
		case "/slow":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/endless":
			for r.Context().Err() == nil {
				w.Write(make([]byte, 1000))
			}
		}
	})
	r := readerOf(t, handler, Options{})
	cases := []struct {
		path   string
		status int
		body   string
		reason Reason
		err    error
		limit  time.Duration // default: one minute
	}{
		{path: "/healthz", status: 200, body: "ok"},
		{path: "/logs/?query=kubelet", status: 200, body: "kubelet"},
		{path: "/unhealthy", status: 500, body: "[-]syncloop failed: reason withheld\n"},
		{path: "/forbidden", reason: Forbidden},
		{path: "/dead", reason: Unavailable},
		{path: "/silent", reason: Timeout, limit: 300 * time.Millisecond},
		{path: "/slow", reason: Timeout, limit: 300 * time.Millisecond},
		{path: "/endless", err: ErrTooLong},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			status, body := 0, ""
			err := r.NodeProxy(t.Context(), "worker-1", c.path, cmp.Or(c.limit, time.Minute), 5000, func(a NodeAnswer) error {
				text, err := io.ReadAll(a.Body)
				status, body = a.Status, string(text)
				return err
			})
			switch {
			case c.err != nil:
				if !errors.Is(err, c.err) || len(body) != 5000 {
					t.Errorf("%d bytes, %v", len(body), err)
				}
			case ReasonOf(err) != c.reason:
				t.Errorf("got %v, want %s", err, c.reason)
			case c.reason == "" && (status != c.status || body != c.body):
				t.Errorf("got %d %q", status, body)
			}
		})
	}
}

// A proxied response has the date of the kubelet, whose clock may be wrong.
func TestNodeProxyTellsNoServerTime(t *testing.T) {
	ahead := time.Now().Add(48 * time.Hour)
	r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", ahead.UTC().Format(http.TimeFormat))
		fmt.Fprint(w, "ok")
	}), Options{})
	err := r.NodeProxy(t.Context(), "worker-1", "/healthz", time.Minute, 100, func(NodeAnswer) error { return nil })
	if err != nil || !r.Answered() || !r.ServerTime().IsZero() {
		t.Errorf("answered %v at %s, %v", r.Answered(), r.ServerTime(), err)
	}
}

// A kubelet cannot redirect its caller to another node, or to another server with the caller's credentials.
func TestNodeProxyFollowsNoRedirect(t *testing.T) {
	for _, to := range []string{"/api/v1/nodes/worker-2/proxy/logs/nodetriage/report.json", "https://192.0.2.9/report.json"} {
		asked := 0
		r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			asked++
			http.Redirect(w, req, to, http.StatusFound)
		}), Options{})
		status := 0
		err := r.NodeProxy(t.Context(), "worker-1", "/logs/nodetriage/report.json", time.Minute, 1000, func(a NodeAnswer) error {
			status = a.Status
			return nil
		})
		if err != nil || status != http.StatusFound || asked != 1 {
			t.Errorf("%s: %d requests, status %d, %v", to, asked, status, err)
		}
	}
}
