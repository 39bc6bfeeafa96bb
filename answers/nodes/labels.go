package nodes

import (
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Label is one label of a node.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Says  string `json:"says,omitempty"` // the meaning of a well-known label
}

func labels(n *evidence.Node) []Label {
	out := []Label{}
	for _, key := range slices.Sorted(maps.Keys(n.Labels)) {
		out = append(out, Label{key, n.Labels[key], catalog.LabelSays(key)})
	}
	return out
}
