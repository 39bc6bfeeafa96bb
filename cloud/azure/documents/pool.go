package documents

import (
	"fmt"
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/wording"
)

// Bounds for node labels and taints of a pool.
const (
	maxLabels = 100
	maxTaints = 50
)

// poolValues reads the node labels and taints of a pool.
func poolValues(r *resource, tree map[string]any) {
	for _, at := range []string{"nodeLabels", "properties.nodeLabels"} {
		v, _ := lookup(tree, at)
		labels, _ := v.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(labels)) {
			if !plain(labels[k]) || len(r.labels) == maxLabels {
				continue
			}
			if r.labels == nil {
				r.labels = map[string]string{}
			}
			r.labels[wording.Cut(k, maxName)] = wording.Cut(fmt.Sprint(labels[k]), maxName)
		}
	}
	for _, t := range stringsIn(tree, "nodeTaints") {
		if len(r.taints) < maxTaints {
			r.taints = append(r.taints, wording.Cut(t, maxName))
		}
	}
}
