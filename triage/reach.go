package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// maxUnseen is how many unfound causes may lie between two found ones. With a longer chain, almost every cause would explain every
// other.
const maxUnseen = 2

// linkedThroughFound reports whether a cause leads to another directly, or through a chain with few unfound causes.
func (g *graph) linkedThroughFound(from, to string) bool {
	return g.reaches(from, to, maxUnseen, func(c *catalog.Cause) []string { return slices.Concat(c.Explains, c.Supersedes) })
}

// byWayOfFound reports whether a cause explains a cause or symptom directly, or through causes that were all found.
func (g *graph) byWayOfFound(from, to string) bool {
	return g.reaches(from, to, 0, func(c *catalog.Cause) []string { return c.Explains })
}

// reaches reports whether steps lead from a cause to another cause or to a symptom, with at most `most` unfound causes between
// them.
func (g *graph) reaches(from, to string, most int, steps func(*catalog.Cause) []string) bool {
	unseen := map[string]int{from: 0} // on the best path to each cause
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range steps(g.in.Catalog.Cause(queue[0])) {
			if next == to {
				return true
			}
			n := unseen[queue[0]]
			if len(g.byID[next]) == 0 {
				n++
			}
			if best, known := unseen[next]; g.in.Catalog.Cause(next) != nil && n <= most && (!known || n < best) {
				unseen[next] = n
				queue = append(queue, next)
			}
		}
	}
	return false
}
