package collect_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// The reader sees a stream through a window. Every object is read, wherever the edge of the window falls: in a key, a value or
// between them. Blanks before the list move the edge byte by byte.
func TestObjectsAcrossTheWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes with the race detector, and its goroutines are those of other tests")
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	object := `{"kind":"Node","metadata":{"name":"node-1"},"apiVersion":"v1"},`
	const nodes = 300 << 10 / 63 // more than one window
	list := `{"apiVersion":"v1","kind":"List","items":[` + strings.TrimSuffix(strings.Repeat(object, nodes), ",") + `]}`
	for shift := range len(object) {
		b := collect.NewBuilder(evidence.Source{Kind: "stdin"}, set)
		b.AddStream("stdin", strings.NewReader(strings.Repeat(" ", shift)+list))
		if gaps := b.Snapshot().Data().Gaps; len(gaps) > 0 {
			t.Fatalf("moved by %d: %v", shift, gaps)
		}
		if got := b.Snapshot().Covers(evidence.Nodes); got == evidence.NotRead {
			t.Fatalf("moved by %d: no node was read", shift)
		}
	}
}
