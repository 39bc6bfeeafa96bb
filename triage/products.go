package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// relevant returns a text of a page without the brackets and sentences about products that are not there. ok reports whether its
// first sentence is about what is there.
func (x *adviser) relevant(text shell.Text) (out shell.Text, ok bool) {
	return text.Only(x.concernsHere)
}

// concernsHere reports whether a text names no product, or one that is there.
func (x *adviser) concernsHere(text string) bool {
	named := catalog.ProductsIn(text)
	return len(named) == 0 || slices.ContainsFunc(named, x.isHere)
}

// chosen reports whether the evidence shows that a remedy is meant: its words, its platform or its variant. Then what it names is
// there.
func (x *adviser) chosen(r catalog.Remedy) bool {
	return len(r.When)+len(r.Platforms) > 0 || x.said(r.Said) || distance(r.Variants, x.variants) == 0
}

// isHere reports whether the evidence shows a product: by the nodes of the finding, or by a text.
func (x *adviser) isHere(p *catalog.Product) bool {
	switch {
	case p.Provider != "":
		return x.around.provider != nil && x.around.provider.Name == p.Provider
	case p.Runtime != "":
		return x.here.parts.runs(p.Runtime)
	case slices.ContainsFunc(x.here.ground, func(f footing) bool { return f.Name == p.Platform }):
		return true
	}
	return p.IsIn(x.text) || p.IsIn(x.around.text())
}
