package catalog_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// A product is known by its names, each product depends on something that exists, and a name is not a part of another word.
func TestProducts(t *testing.T) {
	list := catalog.Products()
	if len(list) < 20 {
		t.Fatalf("%d products were read", len(list))
	}
	for _, p := range list {
		if p.Provider != "" && catalog.ProviderNamed(p.Provider) == nil {
			t.Errorf("%v: no cloud has the name %s", p.Called, p.Provider)
		}
		if p.Platform+p.Provider+p.Runtime == "" && len(p.Signs) == 0 {
			t.Errorf("%v: nothing shows that it is there", p.Called)
		}
	}
	for text, want := range map[string]int{
		"our Azure subscription": 1, "an azurite stone": 0, "On k3s and RKE2, restart the service": 2, "a planned maintenance window": 0, "In Windows, use Get-Volume": 1,
	} {
		if got := catalog.ProductsIn(text); len(got) != want {
			t.Errorf("%q names %d products, want %d", text, len(got), want)
		}
	}
}
