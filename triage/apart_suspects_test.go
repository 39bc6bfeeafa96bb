package triage

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// The catalog has all compared areas, and layerAreas has only layers of the catalog.
func TestAreasAreKnown(t *testing.T) {
	t.Parallel()
	if !slices.Equal(catalog.Areas, areas) {
		t.Errorf("compared are %q, the catalog knows %q", areas, catalog.Areas)
	}
	for layer, of := range layerAreas {
		if !slices.Contains(catalog.Layers, layer) {
			t.Errorf("the catalog has no layer %q", layer)
		}
		for _, area := range of {
			if !slices.Contains(areas, area) {
				t.Errorf("layer %s: nothing is compared in the area %q", layer, area)
			}
		}
	}
}
