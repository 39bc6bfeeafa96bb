package mcp_test

import (
	"context"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/mcp"
)

// A client that sends a token gets the amount that was read before it gets the answer; another one gets nothing.
func TestProgress(t *testing.T) {
	var mu sync.Mutex
	var told []*sdk.ProgressNotificationParams
	near, far := sdk.NewInMemoryTransports()
	server, err := mcp.New(ofShop()).Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() })
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, r.Params)
		},
	})
	s, err := client.Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })

	answered(t, s, "triage_cluster", nil)
	if len(told) > 0 {
		t.Errorf("%d notifications without a token", len(told))
	}
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Meta: sdk.Meta{"progressToken": "abc"}, Name: "triage_cluster"})
	if err != nil || r.IsError {
		t.Fatal(err, r)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) == 0 {
		t.Fatal("no notification")
	}
	most := 0.0
	for _, p := range told {
		if p.ProgressToken != "abc" || p.Message != "bytes read" || p.Progress <= most {
			t.Errorf("%+v after %g", p, most)
		}
		most = p.Progress
	}
}
