package mcp_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/mcp"
)

// BenchmarkNew makes a server, which a client waits for: most of it are the schemas of the tools.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		mcp.New(ofShop())
	}
}
