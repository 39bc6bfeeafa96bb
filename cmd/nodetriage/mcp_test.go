package main

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// asChild starts the program with these arguments, and returns a client over its standard input and output.
func asChild(t *testing.T, args ...string) *sdk.ClientSession {
	t.Helper()
	child := exec.CommandContext(context.WithoutCancel(t.Context()), os.Args[0], append([]string{"mcp"}, args...)...)
	child.Env = append(os.Environ(), "NODETRIAGE_TEST_PROGRAM=1", "KUBECONFIG=/nonexistent")
	child.Stderr = t.Output()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	begun := time.Now()
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: child}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the first answer came after %s", time.Since(begun))
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("the program does not end with its client: %v", err)
		}
	})
	return session
}

func answerOf(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// Each tool answers in a program that a client starts, about saved evidence.
func TestToolsAsChild(t *testing.T) {
	t.Parallel()
	s := asChild(t, "-f", "../../ask/testdata/shop")
	for tool, args := range map[string]map[string]any{
		"triage_cluster": nil, "triage_node": {"node": "n3"}, "triage_text": {"text": "kubelet: no space left on device\n"}, "explain_cause": {"query": "disk-pressure"},
		"forecast_pods": {"nodes": []string{"n1"}, "event": "power-off"}, "plan_drain": {"nodes": []string{"n1"}}, "check_risks": nil,
		"plan_upgrade": {"pool": "a"}, "verify_node": {"node": "n1"},
	} {
		if text, failed := answerOf(t, s, tool, args); failed {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// The first answer does not wait for the knowledge or the cluster. What is wrong with them is said by the tools that need them.
func TestFirstAnswerNeedsNothing(t *testing.T) {
	t.Parallel()
	s := asChild(t, "--catalog", "/nonexistent")
	if text, failed := answerOf(t, s, "explain_cause", map[string]any{"query": "disk-pressure"}); !failed || !strings.Contains(text, "/nonexistent") {
		t.Error(text)
	}
	s = asChild(t)
	if text, failed := answerOf(t, s, "triage_cluster", nil); !failed || !strings.Contains(text, "no kubeconfig") {
		t.Error(text)
	}
	if text, failed := answerOf(t, s, "explain_cause", map[string]any{"query": "disk-pressure"}); failed {
		t.Error(text)
	}
}

// withBearer sends a token with each request.
type withBearer string

func (b withBearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// With --listen, the program prints its address and serves clients that have the token.
func TestToolsOverHTTP(t *testing.T) {
	t.Parallel()
	const token = "a-long-enough-token"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "mcp", "-f", "../../ask/testdata/shop", "--listen", "127.0.0.1:0", "--token-file", file)
	child.Env = append(os.Environ(), "NODETRIAGE_TEST_PROGRAM=1", "KUBECONFIG=/nonexistent")
	said, err := child.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, found := strings.Cut(strings.TrimSpace(line), "serving MCP on ")
	if !found || strings.Contains(line, token) {
		t.Fatalf("the program says %q", line)
	}
	connect := func(with string) (*sdk.ClientSession, error) {
		return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
			&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: withBearer(with)}, MaxRetries: -1}, nil)
	}
	if _, err := connect("another-long-enough-token"); err == nil {
		t.Error("a client with another token is served")
	}
	s, err := connect(token)
	if err != nil {
		t.Fatal(err)
	}
	if text, failed := answerOf(t, s, "triage_cluster", nil); failed || !strings.Contains(text, `"verdict":"broken"`) {
		t.Error(text)
	}
	_ = s.Close()
	_ = child.Process.Kill()
	_ = child.Wait()
}
