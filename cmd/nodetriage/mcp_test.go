package main

import (
	"context"
	"os"
	"os/exec"
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
