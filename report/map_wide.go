package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/wording"
)

// column is a trait in the wide form.
type column struct {
	trait string
	width int
}

func (p *mapPage) measureTraits() {
	for _, trait := range traitOrder {
		width := 0
		for _, g := range p.m.Groups {
			for _, n := range g.Nodes {
				width = max(width, wording.Columns(n.Traits[trait]))
			}
		}
		if width > 0 {
			p.extra = append(p.extra, column{trait, max(width, len(trait))})
		}
	}
}

func (p *mapPage) traitHeads() string {
	return strings.Join(apply(p.extra, func(c column) string { return fit(strings.ToUpper(c.trait), c.width) }), "  ")
}

func (p *mapPage) traitCells(n *nodes.Node) string {
	return strings.Join(apply(p.extra, func(c column) string { return fit(dash(n.Traits[c.trait]), c.width) }), "  ")
}
