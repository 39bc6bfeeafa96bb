package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/mcp"
)

// shop is a small cluster with three nodes of one pool; n3 is unreachable.
const shop = "../ask/testdata/shop"

// built is the built-in knowledge, which all tests share.
var built = sync.OnceValues(func() (*ask.Knowledge, error) { return ask.NewKnowledge("test") })

// options returns the options of a server with this evidence.
func options(source ask.Source) mcp.Options {
	return mcp.Options{
		Version: "test", Knowledge: built,
		From: func() (ask.From, error) {
			k, err := built()
			return ask.From{Source: source, Knowledge: k}, err
		},
	}
}

func ofShop() mcp.Options { return options(ask.Files{Paths: []string{shop}}) }

// connected returns a client in memory of a server with these options.
func connected(t *testing.T, opt mcp.Options) *sdk.ClientSession {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	server, err := mcp.New(opt).Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() }) // after the client has closed
	return clientOf(t, near)
}

// clientOf returns a client over a transport.
func clientOf(t *testing.T, over sdk.Transport) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), over, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool, and checks that the answer keeps the ceiling.
func call(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) *sdk.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if n := len(marshalled(t, r)); n > mcp.MaxAnswer {
		t.Errorf("%s: the answer has %d bytes, more than %d", tool, n, mcp.MaxAnswer)
	}
	return r
}

// answered calls a tool that must answer.
func answered(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) mcp.Answer {
	t.Helper()
	r := call(t, s, tool, args)
	if r.IsError {
		t.Fatalf("%s: %s", tool, textOf(r))
	}
	return decoded[mcp.Answer](t, []byte(textOf(r)))
}

// refused calls a tool that must not answer, and returns the reason.
func refused(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) string {
	t.Helper()
	r := call(t, s, tool, args)
	if !r.IsError {
		t.Fatalf("%s answers: %s", tool, textOf(r))
	}
	return textOf(r)
}

func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func decoded[T any](t *testing.T, data []byte) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return out
}

// allItems returns the items of the rest of an answer, over all pages.
func allItems(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) []mcp.Item {
	t.Helper()
	var out []mcp.Item
	for {
		e := decoded[mcp.Explained](t, []byte(textOf(call(t, s, tool, args))))
		out = append(out, e.Rest...)
		if e.Cursor == "" {
			return out
		}
		args["cursor"] = e.Cursor
	}
}

// pages returns all items of an answer, over all pages.
func pages(t *testing.T, s *sdk.ClientSession, tool string, args map[string]any) []mcp.Item {
	t.Helper()
	a := answered(t, s, tool, args)
	out := a.Rest
	for a.Cursor != "" {
		next := map[string]any{"cursor": a.Cursor}
		for k, v := range args {
			next[k] = v
		}
		left := a.Left
		a = answered(t, s, tool, next)
		if len(a.Rest) == 0 || a.Left != left-len(a.Rest) {
			t.Fatalf("%s: a page has %d items, %d were left before and %d after", tool, len(a.Rest), left, a.Left)
		}
		out = append(out, a.Rest...)
	}
	return out
}

// everyTool are valid arguments of each tool about the shop.
var everyTool = map[string]map[string]any{
	"triage_cluster": {},
	"triage_node":    {"node": "n3"},
	"triage_text":    {"text": "E0602 09:40:01.000001 1 kubelet.go:1] failed to run Kubelet: failed to create kubelet: misconfiguration: kubelet cgroup driver: \"cgroupfs\" is different from docker cgroup driver: \"systemd\"\n"},
	"explain_cause":  {"query": "runtime-hung"},
	"forecast_pods":  {"nodes": []string{"n1"}, "event": "power-off"},
	"plan_drain":     {"nodes": []string{"n1"}},
	"check_risks":    {},
	"plan_upgrade":   {"pool": "a"},
	"verify_node":    {"node": "n1"},
}

// cancelled returns a context that is over.
func cancelled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
