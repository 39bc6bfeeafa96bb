package alertwebhook

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/nodetriage/nodetriage/controller/engine"
	"github.com/nodetriage/nodetriage/controller/engine/enginetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type fixed struct{ *engine.Judgement }

func (f fixed) Current() *engine.Judgement { return f.Judgement }

// receiver is a chat that gets messages.
type receiver struct {
	*httptest.Server
	bodies chan []byte
	codes  chan int // of the next answers; 200 if there is none
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{bodies: make(chan []byte, 100), codes: make(chan int, 10)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		select {
		case code := <-r.codes:
			w.WriteHeader(code)
		default:
			r.bodies <- body
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// next returns the next message.
func (r *receiver) next(t *testing.T) Message {
	t.Helper()
	select {
	case body := <-r.bodies:
		var m Message
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		return m
	case <-time.After(time.Minute):
		t.Fatal("no message")
		return Message{}
	}
}

// started is a running server.
type started struct {
	url    string
	server *Server
}

func start(t *testing.T, j *engine.Judgement, to *receiver, form Form) *started {
	t.Helper()
	s, err := New(fixed{j}, Options{Token: "secret", Cluster: "blue", URL: to.URL, Form: form}, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	s.sender.pause = time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return &started{"http://" + listener.Addr().String() + Path, s}
}

func (s *started) post(t *testing.T, token string, body []byte) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func alerts(status, label string, values ...string) []byte {
	n := notification{}
	for _, v := range values {
		n.Alerts = append(n.Alerts, alert{status, map[string]string{"alertname": "KubeNodeNotReady", label: v}})
	}
	body, err := json.Marshal(n)
	if err != nil {
		panic(err)
	}
	return body
}

func sick(fault enginetest.Fault, nodes ...int) map[int]enginetest.Fault {
	out := map[int]enginetest.Fault{}
	for _, i := range nodes {
		out[i] = fault
	}
	return out
}

// An alert about a node becomes one message with the cause, however it names the node. The same is not said again.
func TestMessage(t *testing.T) {
	j := enginetest.Cluster{At: noon, Nodes: 6, Faults: sick(enginetest.DiskFull, 0)}.Judge(t)
	to := newReceiver(t)
	s := start(t, j, to, Generic)
	for _, body := range [][]byte{alerts(firing, "node", "node-000"), alerts(firing, "instance", "10.0.0.1:9100"), alerts(firing, "node", "elsewhere")} {
		if code := s.post(t, "secret", body); code != http.StatusOK {
			t.Fatalf("answer %d", code)
		}
	}
	m := to.next(t)
	if m.Cause != "disk-pressure" || !slices.Equal(m.Nodes, []string{"node-000"}) || m.Cluster != "blue" || m.Together || m.Since == nil {
		t.Errorf("%+v", m)
	}
	if !slices.ContainsFunc(m.Avoid, func(s string) bool { return s != "" }) || m.Next != "nodetriage diagnose node-000" {
		t.Errorf("%+v", m)
	}
	s.post(t, "secret", alerts(firing, "node", "node-000", "node-001"))
	if m := to.next(t); !slices.Equal(m.Nodes, []string{"node-001"}) || m.Cause != "" || m.Heading() != "node node-001: no fault found" {
		t.Errorf("a node without a fault: %+v", m)
	}
	s.post(t, "secret", alerts("resolved", "node", "node-000"))
	s.post(t, "secret", alerts(firing, "node", "node-000")) // may be of the same batch
	if m := to.next(t); m.Cause != "disk-pressure" {
		t.Errorf("after its end: %+v", m)
	}
}

// 3,000 alerts about nodes that fail together become one message.
func TestStorm(t *testing.T) {
	faults, names := map[int]enginetest.Fault{}, []string{}
	const nodes = 3000
	for i := 0; i < nodes; i += 3 {
		faults[i] = enginetest.Silent
		names = append(names, enginetest.Name(i), enginetest.Name(i), enginetest.Name(i)) // three alerts each
	}
	j := enginetest.Cluster{At: noon, Nodes: nodes, Faults: faults}.Judge(t)
	to := newReceiver(t)
	s := start(t, j, to, Generic)
	for part := range slices.Chunk(names, 300) {
		if code := s.post(t, "secret", alerts(firing, "node", part...)); code != http.StatusOK {
			t.Fatalf("answer %d", code)
		}
	}
	m := to.next(t)
	if m.Count != 1000 || len(m.Nodes) != maxNodes || !m.Together || !strings.Contains(m.Avoid[0], "one by one") {
		t.Errorf("%+v", m)
	}
	s.server.answer(t.Context(), []alert{{firing, map[string]string{"node": names[len(names)-1]}}})
	if len(to.bodies) > 0 {
		t.Errorf("another message: %s", <-to.bodies)
	}
}

// Messages are tried again while the receiver has an error, and counted as failed if it refuses them.
func TestReceiver(t *testing.T) {
	j := enginetest.Cluster{At: noon, Nodes: 3, Faults: sick(enginetest.DiskFull, 0)}.Judge(t)
	to := newReceiver(t)
	s := start(t, j, to, Generic)
	to.codes <- http.StatusInternalServerError
	to.codes <- http.StatusTooManyRequests
	s.post(t, "secret", alerts(firing, "node", "node-000"))
	to.next(t)
	to.codes <- http.StatusForbidden
	s.server.answer(t.Context(), []alert{{firing, map[string]string{"node": "node-001"}}})
	if got := testutil.ToFloat64(s.server.sent.WithLabelValues(failed)); got != 1 {
		t.Errorf("%v failed", got)
	}
	to.Close()
	s.server.answer(t.Context(), []alert{{firing, map[string]string{"node": "node-002"}}})
	if got := testutil.ToFloat64(s.server.sent.WithLabelValues(failed)); got != 2 {
		t.Errorf("%v failed", got)
	}
}

// Only Alertmanager, with the token, is heard, and only what it sends.
func TestRefused(t *testing.T) {
	to := newReceiver(t)
	s := start(t, enginetest.Cluster{At: noon, Nodes: 3}.Judge(t), to, Generic)
	good := alerts(firing, "node", "node-000")
	for want, send := range map[int]func() int{
		http.StatusUnauthorized:          func() int { return s.post(t, "wrong", good) },
		http.StatusBadRequest:            func() int { return s.post(t, "secret", []byte("<html>")) },
		http.StatusRequestEntityTooLarge: func() int { return s.post(t, "secret", make([]byte, maxBody+1)) },
		http.StatusMethodNotAllowed: func() int {
			response, err := http.Get(s.url) //nolint:noctx // as a browser does
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			return response.StatusCode
		},
	} {
		if got := send(); got != want {
			t.Errorf("answer %d, want %d", got, want)
		}
	}
}

// A server whose receiver hangs refuses notifications that it cannot keep, so that Alertmanager repeats them.
func TestQueue(t *testing.T) {
	s, err := New(fixed{enginetest.Cluster{At: noon, Nodes: 3}.Judge(t)}, Options{Token: "secret"}, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	codes := map[int]int{}
	for range maxQueued + 1 {
		w := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodPost, Path, bytes.NewReader(alerts(firing, "node", "node-000")))
		request.Header.Set("Authorization", "Bearer secret")
		s.receive(w, request)
		codes[w.Code]++
	}
	if codes[http.StatusOK] != maxQueued || codes[http.StatusServiceUnavailable] != 1 {
		t.Errorf("answers %v", codes)
	}
}

// What a cluster calls its things is plain text in every form.
func TestForms(t *testing.T) {
	const hostile = "<!channel> <https://example.com|here> [x](https://example.com) **b** \x1b[31m\u202e"
	m := Message{Nodes: []string{"n1"}, Count: 1, Cause: "disk-pressure", Title: hostile, Certainty: "likely", Summary: text(hostile), Next: "nodetriage diagnose n1"}
	for form, want := range map[Form]string{
		Generic: `"cause":"disk-pressure"`,
		Slack:   `"text":"node n1: \u0026lt;!channel\u0026gt;`,
		Teams:   `"type":"TextRun"`,
	} {
		body, err := encode(&m, form)
		if err != nil || !json.Valid(body) || !strings.Contains(string(body), want) {
			t.Errorf("%s: %v\n%s", form, err, body)
		}
		if strings.Contains(string(body), "mrkdwn") || strings.Contains(string(body), `"type":"TextBlock"`) || strings.Contains(text(hostile), "\x1b") {
			t.Errorf("%s: %s", form, body)
		}
	}
	if len(text(strings.Repeat("x", 1e6))) > maxText+len("...") {
		t.Error("a long text is not cut")
	}
	if _, err := encode(&m, "irc"); err == nil {
		t.Error("an unknown form")
	}
}

// Nodes that join a group are part of the message about it for a while.
func TestTold(t *testing.T) {
	told := newTold()
	say := func(minute int, together bool, cause string, nodes ...string) bool {
		return told.fresh(&Message{Together: together, Cause: cause, all: nodes}, noon.Add(time.Duration(minute)*time.Minute))
	}
	for i, step := range []struct{ got, want bool }{
		{say(0, true, "node-unreachable", "a", "b", "c"), true},
		{say(1, true, "node-unreachable", "a", "b", "c", "d"), false},
		{say(2, false, "disk-pressure", "e"), true},
		{say(3, false, "disk-pressure", "e"), false},
		{say(4, false, "runtime-down", "e"), true},
		{say(7, true, "node-unreachable", "a", "b", "c", "d", "f"), true},
		{say(8, true, "node-unreachable", "a", "b"), false},
		{say(5*60, false, "runtime-down", "e"), true},
	} {
		if step.got != step.want {
			t.Errorf("step %d: %v", i, step.got)
		}
	}
	told.clean(noon.Add(100 * time.Hour))
	if got := fmt.Sprint(len(told.nodes), len(told.groups)); got != "0 0" {
		t.Errorf("remembered: %s", got)
	}
}
