package survey

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/kube"
)

// kubeletOf returns a Reader whose node proxy uses that handler.
func kubeletOf(t *testing.T, answer http.HandlerFunc) *kube.Reader {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	r, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// An archive is fetched completely, or the error explains why not. No node delays the caller for long.
func TestFetchSaved(t *testing.T) {
	const body = "what a node keeps"
	half := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		fmt.Fprint(w, body[:5])
		_ = http.NewResponseController(w).Flush()
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		bytes  int64
		says   string
		// delays of the response header and of the rest, a minute if unset
		head, rest time.Duration
	}{
		"whole":           {answer: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }},
		"shorter":         {answer: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body[:5]) }, says: "it has 5 bytes, but the agent's report says 17"},
		"longer":          {answer: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body+"!") }, says: "it is longer than the 17 bytes"},
		"endless":         {answer: endless, says: "it is longer than the 17 bytes"},
		"too large":       {bytes: nodereport.MaxSaved + 1, says: "its 20971521 bytes are more than the 20971520 that an agent saves"},
		"without a size":  {bytes: -1, says: "the agent's report does not contain its size"},
		"gone":            {answer: http.NotFound, says: "the kubelet answered HTTP 404"},
		"broken off":      {answer: func(w http.ResponseWriter, _ *http.Request) { half(w); panic(http.ErrAbortHandler) }, says: "unexpected EOF"},
		"no answer":       {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, says: "no answer through the API server in time", head: 300 * time.Millisecond, rest: time.Hour},
		"half, then none": {answer: func(w http.ResponseWriter, r *http.Request) { half(w); <-r.Context().Done() }, says: "the answer broke off after 5.5s", head: 5 * time.Second, rest: 500 * time.Millisecond},
		"nobody there": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 503, "message": "dial tcp 192.0.2.7:10250: connection refused"}`)
		}, says: "unavailable: dial tcp 192.0.2.7:10250: connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := kubeletOf(t, func(w http.ResponseWriter, r *http.Request) {
				if c.answer == nil || r.URL.Path != "/api/v1/nodes/w1/proxy/logs/nodetriage/saved-20261127T173000Z.tar.gz" {
					t.Errorf("asked for %s", r.URL.Path)
					return
				}
				c.answer(w, r)
			})
			s := nodereport.Saved{File: "saved-20261127T173000Z.tar.gz", Bytes: int64(len(body))}
			if c.bytes != 0 {
				s.Bytes = c.bytes
			}
			var got bytes.Buffer
			opt := Options{ProbeTimeout: cmp.Or(c.head, time.Minute), download: cmp.Or(c.rest, time.Minute)}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			err := FetchSaved(ctx, r, "w1", s, &got, opt)
			switch {
			case c.says == "" && (err != nil || got.String() != body):
				t.Errorf("%q, %v", got.String(), err)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v, want %q", err, c.says)
			case got.Len() > len(body):
				t.Errorf("%d bytes were taken", got.Len())
			}
		})
	}
}

func endless(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := w.Write(make([]byte, 1000)); err != nil {
			return
		}
	}
}

// No file name in a report leads to another path: no request is sent.
func TestFetchSavedAsksForArchivesAlone(t *testing.T) {
	r := kubeletOf(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked for %s", r.URL) })
	for _, name := range []string{"", ".", "../../etc/x", "report.json", "saved-20261127T173000Z.tar.gz/../../../etc/x", "saved-20261127T173000Z.tar.gz?a=b", "\x1b[2Jsaved-20261127T173000Z.tar.gz"} {
		if err := FetchSaved(t.Context(), r, "w1", nodereport.Saved{File: name, Bytes: 10}, &bytes.Buffer{}, Options{}); err == nil {
			t.Errorf("%q was fetched", name)
		}
	}
}

// The list is that of the report, even of an old one. A node without an agent has no list and no error.
func TestSaved(t *testing.T) {
	report := `{"apiVersion": "nodetriage.dev/v1alpha1", "kind": "NodeReport", "takenAt": "2020-01-01T00:00:00Z", "saved": [{"file": "saved-20200101T000000Z.tar.gz", "bytes": 7}]}`
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   int
		err    string
	}{
		"an agent":  {answer: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, report) }, want: 1},
		"none":      {answer: http.NotFound},
		"no answer": {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, err: "no answer through the API server in time"},
	} {
		opt := Options{ProbeTimeout: time.Minute}
		if c.err != "" {
			opt.ProbeTimeout = 300 * time.Millisecond
		}
		got, err := Saved(t.Context(), kubeletOf(t, c.answer), "w1", opt)
		if len(got) != c.want || fmt.Sprint(err) != c.err && (err != nil || c.err != "") {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
