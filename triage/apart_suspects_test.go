package triage

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/catalog"
)

// The table of where causes lie names causes and layers that the catalogue has, and areas that are compared.
func TestSuspectsAreKnown(t *testing.T) {
	known, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	causes := known.Causes()
	named := slices.Concat(slices.Collect(maps.Values(liesByLayer))...)
	for _, row := range lies {
		named = append(named, row.areas...)
		for _, head := range strings.Fields(row.causes) {
			if !slices.ContainsFunc(causes, func(c *catalog.Cause) bool { return strings.HasPrefix(c.ID, head) }) {
				t.Errorf("no cause begins with %q", head)
			}
		}
	}
	for layer := range liesByLayer {
		if !slices.ContainsFunc(causes, func(c *catalog.Cause) bool { return c.Layer == layer }) {
			t.Errorf("no cause is of the layer %q", layer)
		}
	}
	for _, area := range named {
		if !slices.Contains(areas, area) {
			t.Errorf("nothing is compared in the area %q", area)
		}
	}
}
