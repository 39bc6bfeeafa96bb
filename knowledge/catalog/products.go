package catalog

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

//go:embed products.yaml
var productsFile []byte

// Product is a product that pages name. A text that names only products that are not there does not fit the evidence.
type Product struct {
	Called   []string `json:"called"` // as pages write it
	Signs    []string `json:"signs"`  // parts of a text, in lower case, that show that it is there
	Platform string   `json:"platform"`
	Provider string   `json:"provider"`
	Runtime  string   `json:"runtime"`

	called func() *regexp.Regexp
}

var products = sync.OnceValues(func() ([]*Product, error) {
	var out []*Product
	if err := bounds.YAMLStrict(productsFile, &out); err != nil {
		return nil, fmt.Errorf("products.yaml: %w", err)
	}
	for _, p := range out {
		names := make([]string, 0, len(p.Called))
		for _, name := range p.Called {
			names = append(names, regexp.QuoteMeta(name))
		}
		p.called = sync.OnceValue(func() *regexp.Regexp { return compileOne(`\b(?:` + strings.Join(names, "|") + `)\b`) })
	}
	return out, nil
})

// Products returns the products that pages name.
func Products() []*Product {
	list, err := products()
	if err != nil {
		return nil // a test checks the file
	}
	return list
}

// ProductsIn returns the products that a text of a page names.
func ProductsIn(text string) (out []*Product) {
	for _, p := range Products() {
		if p.called().MatchString(text) {
			out = append(out, p)
		}
	}
	return out
}

// IsIn reports whether a text, in lower case, shows that the product is there.
func (p *Product) IsIn(text string) bool {
	return slices.ContainsFunc(p.Signs, func(sign string) bool { return strings.Contains(text, sign) })
}
