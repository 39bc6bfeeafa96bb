package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/mcp"
)

// clusterAt is a live cluster with an API server at this address.
func clusterAt(url string) ask.Cluster {
	return ask.Cluster{Connect: func() (*kube.Reader, string, error) {
		r, err := kube.NewReader(&rest.Config{Host: url, Timeout: 5 * time.Second}, kube.Options{})
		return r, "lab", err
	}}
}

// silentServer accepts requests and never answers.
func silentServer(t *testing.T) string {
	t.Helper()
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-over:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(over); server.CloseClientConnections(); server.Close() })
	return server.URL
}

// A cluster that does not answer gives an error within the time limit.
func TestSilentCluster(t *testing.T) {
	opt := options(clusterAt(silentServer(t)))
	opt.Timeout = 200 * time.Millisecond
	if got := refused(t, connected(t, opt), "triage_cluster", nil); !strings.Contains(got, "no answer in time") {
		t.Error(got)
	}
}

// A cluster that is not there gives an error with the reason.
func TestNoCluster(t *testing.T) {
	at, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + at.Addr().String()
	_ = at.Close()
	for _, tool := range []string{"triage_cluster", "triage_node", "plan_drain", "check_risks"} {
		if got := refused(t, connected(t, options(clusterAt(url))), tool, everyTool[tool]); !strings.Contains(got, `"error":`) || !strings.Contains(got, "refused") {
			t.Errorf("%s: %s", tool, got)
		}
	}
}

// Without rights on something, the answer says so, as the program does: the verdict is limited, and the reason is there.
func TestMissingRights(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/api/v1/nodes" {
			_, _ = io.WriteString(w, `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"n1"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}]}`)
			return
		}
		w.WriteHeader(http.StatusForbidden)
		_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: "Forbidden", Message: "agent cannot list this", Code: 403})
	}))
	t.Cleanup(server.Close)
	s := connected(t, options(clusterAt(server.URL)))
	a := answered(t, s, "triage_cluster", nil)
	if a.Verdict != "unknown" || !strings.Contains(string(marshalled(t, a.NotKnown)), "pods: not read") {
		t.Errorf("verdict %s, not known: %s", a.Verdict, marshalled(t, a.NotKnown))
	}
	if all := string(marshalled(t, append(a.NotKnown, a.Rest...))); !strings.Contains(strings.ToLower(all), "forbidden") {
		t.Errorf("nothing says that reading was forbidden: %s", all)
	}
}

// Two calls at the same time are both answered.
func TestCallsAtTheSameTime(t *testing.T) {
	s := connected(t, ofShop())
	var wait sync.WaitGroup
	for range 4 {
		for _, tool := range []string{"triage_cluster", "plan_drain", "check_risks"} {
			wait.Go(func() {
				r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: everyTool[tool]})
				if err != nil || r.IsError {
					t.Errorf("%s: %v", tool, err)
				}
			})
		}
	}
	wait.Wait()
}

// A cancelled call ends, and the server answers the next one. Nothing is left running.
func TestCancelledCall(t *testing.T) {
	s := connected(t, options(clusterAt(silentServer(t))))
	before := runtime.NumGoroutine()
	for range 4 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "triage_cluster"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		cancel()
	}
	if _, err := s.CallTool(cancelled(t), &sdk.CallToolParams{Name: "triage_cluster"}); err == nil {
		t.Error("a call that was cancelled before is answered")
	}
	answered(t, s, "triage_text", everyTool["triage_text"])
	for range 100 {
		if runtime.NumGoroutine() <= before+10 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

// spoken sends lines to a server over standard input, and returns its answers and how it ended.
func spoken(t *testing.T, lines ...string) (answers []string, end error) {
	t.Helper()
	in, feed := io.Pipe()
	out, tell := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.Stdio(t.Context(), mcp.New(ofShop()), in, tell)
		_ = tell.Close()
	}()
	greeted := make(chan struct{}, 1)
	go func() {
		for _, line := range lines {
			_, _ = io.WriteString(feed, line)
			if line == hello { // the end of the input cancels what is not answered yet
				<-greeted
			}
		}
		_ = feed.Close()
	}()
	all := bufio.NewScanner(out)
	all.Buffer(nil, 1<<20)
	for all.Scan() {
		answers = append(answers, all.Text())
		select {
		case greeted <- struct{}{}:
		default:
		}
	}
	select {
	case end = <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
	return answers, end
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"

// A client that breaks the protocol, or ends in the middle, ends its connection and nothing else.
func TestBrokenClient(t *testing.T) {
	for name, lines := range map[string][]string{
		"no JSON":         {hello, "this is not JSON\n"},
		"half a message":  {hello, `{"jsonrpc":"2.0","id":2,"method":"tools/li`},
		"nothing":         nil,
		"no hello":        {`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"triage_cluster"}}` + "\n"},
		"unknown method":  {hello, `{"jsonrpc":"2.0","id":2,"method":"no/such"}` + "\n"},
		"unknown tool":    {hello, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"kubectl_delete"}}` + "\n"},
		"wrong arguments": {hello, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"triage_node","arguments":[1]}}` + "\n"},
		"deep":            {hello, strings.Repeat("[", 100_000) + "\n"},
		"huge":            {hello, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"triage_text","arguments":{"text":"` + strings.Repeat("x", 9<<20) + `"}}}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			answers, end := spoken(t, lines...)
			t.Logf("ended with %v after %d answers", end, len(answers))
			for _, a := range answers {
				if len(a) > mcp.MaxAnswer || !json.Valid([]byte(a)) {
					t.Errorf("%d bytes: %.200s", len(a), a)
				}
			}
			if len(lines) > 0 && lines[0] == hello && len(answers) == 0 {
				t.Error("the first message was not answered")
			}
		})
	}
}

// A client that ends while its call waits for a cluster ends the server: nothing waits for an answer that no one reads.
func TestEndInTheMiddle(t *testing.T) {
	in, feed := io.Pipe()
	out, tell := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.Stdio(t.Context(), mcp.New(options(clusterAt(silentServer(t)))), in, tell)
	}()
	answers := bufio.NewReader(out)
	_, _ = io.WriteString(feed, hello)
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"triage_cluster","arguments":{}}}`+"\n")
	_ = feed.Close()
	go func() { _, _ = io.Copy(io.Discard, answers) }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second): // much less than the time limit of an answer
		t.Error("the server waits for the answer")
	}
}
