package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// maxUnseen is how many causes that were not found may lie between two that were. By a longer chain of what nobody saw nearly
// everything follows from everything.
const maxUnseen = 2

// nearby reports whether a cause brings another about by itself, or by way of causes of which few were not found.
func (g *graph) nearby(from, to string) bool {
	return g.reaches(from, to, maxUnseen, func(c *catalog.Cause) []string { return slices.Concat(c.Explains, c.Supersedes) })
}

// byWayOfFound reports whether a cause explains another, or a symptom, by itself or by way of causes that were all found.
func (g *graph) byWayOfFound(from, to string) bool {
	return g.reaches(from, to, 0, func(c *catalog.Cause) []string { return c.Explains })
}

// reaches reports whether steps lead from a cause to another, or to a symptom, with at most so many causes between them that were not
// found.
func (g *graph) reaches(from, to string, most int, steps func(*catalog.Cause) []string) bool {
	unseen := map[string]int{from: 0} // on the best way to each cause
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
