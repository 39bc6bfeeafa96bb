package kube

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Every object comes exactly once and in order, regardless of changes between the pages.
func TestListLosesAndDoublesNothing(t *testing.T) {
	const pods, page = 95, 10
	expire := func(at int, token string) func(int, http.ResponseWriter, *http.Request) bool {
		return func(n int, w http.ResponseWriter, r *http.Request) bool {
			return n == at && refuse(w, http.StatusGone, metav1.StatusReasonExpired, "The provided continue parameter is too old", token)
		}
	}
	cases := map[string]struct {
		json  bool
		fault func(int, http.ResponseWriter, *http.Request) bool
	}{
		"nothing goes wrong":                      {},
		"a server that knows JSON only":           {json: true},
		"the list expires, with a token to go on": {fault: expire(5, strconv.Itoa(4*page))},
		"the list expires, without a token":       {fault: expire(5, "")},
		"the list expires again and again": {fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			return (n == 3 || n == 9) && refuse(w, http.StatusGone, metav1.StatusReasonExpired, "too old", "")
		}},
		"the server is busy for a while": {fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			return n%4 == 0 && refuse(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "busy", "")
		}},
		"the server falls over now and then": {fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			return n%5 == 0 && refuse(w, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable, "etcd", "")
		}},
		"the connection breaks inside an answer": {fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			if n != 4 {
				return false
			}
			w.Header().Set("Content-Length", "100000")
			w.Write([]byte("k8s\x00"))
			panic(http.ErrAbortHandler)
		}},
	}
	var want []string
	for i := range pods {
		want = append(want, fmt.Sprintf("%04d", i))
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, reuse := range []bool{false, true} {
				r := readerOf(t, &podServer{pods: somePods(pods), json: c.json, fault: c.fault}, Options{})
				got, all, err := names(t, r, Query{PageSize: page, Reuse: reuse})
				if err != nil || !all {
					t.Fatalf("all %v, error %v", all, err)
				}
				if !slices.Equal(got, want) {
					t.Errorf("reuse %v: got %d pods: %v", reuse, len(got), got)
				}
			}
		})
	}
}

// Count sends one request for one object.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		server *podServer
		want   int
	}{
		{&podServer{}, 0},
		{&podServer{pods: somePods(1)}, 1},
		{&podServer{pods: somePods(37)}, 37},
		{&podServer{pods: somePods(37), json: true}, 37},
		{&podServer{pods: somePods(37), silent: true}, -1},
	} {
		if got, err := Count(t.Context(), readerOf(t, c.server, Options{}), Pods); err != nil || got != c.want || c.server.requests != 1 {
			t.Errorf("%d pods: %d, error %v, %d requests", len(c.server.pods), got, err, c.server.requests)
		}
	}
}

// A partial list is reported: with an error, or without one after MaxPages.
func TestListInPart(t *testing.T) {
	broken := func(n int, w http.ResponseWriter, r *http.Request) bool {
		return n > 2 && refuse(w, http.StatusForbidden, metav1.StatusReasonForbidden, "no more", "")
	}
	r := readerOf(t, &podServer{pods: somePods(50), fault: broken}, Options{})
	got, all, err := names(t, r, Query{PageSize: 10})
	if len(got) != 20 || all || ReasonOf(err) != Forbidden {
		t.Errorf("after an error: %d pods, all %v, %v", len(got), all, err)
	}
	r = readerOf(t, &podServer{pods: somePods(50)}, Options{})
	if got, all, err = names(t, r, Query{PageSize: 10, MaxPages: 2}); len(got) != 20 || all || err != nil {
		t.Errorf("two pages: %d pods, all %v, %v", len(got), all, err)
	}
	if got, all, err = names(t, r, Query{PageSize: 10, MaxPages: 5}); len(got) != 50 || !all || err != nil {
		t.Errorf("just enough pages: %d pods, all %v, %v", len(got), all, err)
	}
	stop := errors.New("enough")
	if all, err = List(t.Context(), r, Pods, Query{PageSize: 10}, func([]corev1.Pod) error { return stop }); all || !errors.Is(err, stop) {
		t.Errorf("the caller's own error: all %v, %v", all, err)
	}
}

// A list of one node's pods is one request to the watch cache.
func TestListFromCache(t *testing.T) {
	var query string
	server := &podServer{pods: somePods(700)}
	r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		query = req.URL.RawQuery
		server.ServeHTTP(w, req)
	}), Options{})
	got, all, err := names(t, r, Query{Fields: "spec.nodeName=a", FromCache: true})
	if len(got) != 700 || !all || err != nil {
		t.Errorf("%d pods, all %v, %v", len(got), all, err)
	}
	if want := "fieldSelector=spec.nodeName%3Da&resourceVersion=0"; query != want {
		t.Errorf("asked for %s, want %s", query, want)
	}
}

// If the watch cache is behind etcd, the request is retried until the timeout.
func TestListOfAServerThatIsBehind(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	behind := func(answers int) http.Handler {
		return &podServer{pods: somePods(700), fault: func(n int, w http.ResponseWriter, r *http.Request) bool {
			return n <= answers && answerStatus(w, &metav1.Status{
				Status: "Failure", Reason: metav1.StatusReasonTimeout, Code: http.StatusGatewayTimeout,
				Message: "Timeout: Too large resource version: 823, current: 796",
				Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}},
			})
		}}
	}
	if got, all, err := names(t, readerOf(t, behind(5), Options{}), Query{}); len(got) != 700 || !all || err != nil {
		t.Errorf("after five answers: %d pods, all %v, %v", len(got), all, err)
	}
	hangs := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			<-r.Context().Done()
		}
		behind(1000).ServeHTTP(w, r)
	})
	_, _, err := names(t, readerOf(t, hangs, Options{Timeout: 5 * time.Second}), Query{})
	if ReasonOf(err) != Timeout || !strings.Contains(err.Error(), "Too large resource version") {
		t.Errorf("out of time: %v", err)
	}
}

// Callers can distinguish errors.
func TestReasons(t *testing.T) {
	answer := func(code int, reason metav1.StatusReason) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { refuse(w, code, reason, "words of the server", "") })
	}
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	defer untrusted.Close()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	hangs := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	cases := []struct {
		name string
		r    *Reader
		want Reason
	}{
		{"forbidden", readerOf(t, answer(403, metav1.StatusReasonForbidden), Options{}), Forbidden},
		{"unauthorized", readerOf(t, answer(401, metav1.StatusReasonUnauthorized), Options{}), Unauthorized},
		{"no such object", readerOf(t, answer(404, metav1.StatusReasonNotFound), Options{}), NotFound},
		{"throttled to the end", readerOf(t, answer(429, metav1.StatusReasonTooManyRequests), Options{}), Throttled},
		{"broken to the end", readerOf(t, answer(500, metav1.StatusReasonInternalError), Options{}), Unavailable},
		{"a page of another server", readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "<html>log in</html>")
		}), Options{}), Failed},
		{"hangs", readerOf(t, hangs, Options{Timeout: 100 * time.Millisecond}), Timeout},
		{"nobody listens", readerAt(t, closed.URL, Options{}), Unreachable},
		{"no such host", readerAt(t, "http://no-such-host.invalid", Options{}), Unreachable},
		{"a certificate that nobody signed", readerAt(t, untrusted.URL, Options{}), Unreachable},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Get(t.Context(), c.r, Nodes, "", "worker-1")
			if got := ReasonOf(err); got != c.want {
				t.Errorf("got %s (%v), want %s", got, err, c.want)
			}
			unanswered := c.want == Timeout || c.want == Unreachable
			if c.r.Answered() == unanswered {
				t.Errorf("answered: %v", c.r.Answered())
			}
		})
	}
}

// Names come from users and from objects, and must not change the path.
func TestNamesStayNames(t *testing.T) {
	r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { t.Errorf("asked for %s", req.URL) }), Options{})
	for _, name := range []string{"..", "a/../../secrets", "a/b", "a%2fb", "a?watch=1", `a\b`, "."} {
		if _, err := Get(t.Context(), r, Nodes, "", name); ReasonOf(err) != NotFound {
			t.Errorf("node %q: %v", name, err)
		}
	}
	err := r.NodeProxy(t.Context(), "https:worker-1:22", "/healthz", time.Second, 100, func(NodeAnswer) error { return nil })
	if ReasonOf(err) != NotFound {
		t.Errorf("proxy to another port: %v", err)
	}
}
