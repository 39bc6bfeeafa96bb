package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// CloudSecurityGroup is a list of rules of a network, or a part of it: a cloud shows its rules one by one too.
type CloudSecurityGroup struct {
	CloudItem
	Part    bool          // rules were read alone, and there may be others
	Subnets []string      // ids of those whose machines it holds for; none: not told
	Out     []CloudWayOut // its rules for HTTPS that leaves
}

// CloudWayOut is a rule for HTTPS that leaves a network.
type CloudWayOut struct {
	Rule     string
	Priority int // the lowest is asked first
	Denies   bool
	To       []string // where to; none: everywhere
}

// Denial is the rule that denies HTTPS to everywhere before another lets it through, in words; empty: none that was read.
func (g *CloudSecurityGroup) Denial() string {
	if w := g.everywhere(); w != nil && w.Denies {
		return fmt.Sprintf("%s (priority %d)", w.Rule, w.Priority)
	}
	return ""
}

// everywhere is the rule that decides of HTTPS to everywhere; nil: none that was read.
func (g *CloudSecurityGroup) everywhere() *CloudWayOut {
	var first *CloudWayOut
	for i := range g.Out {
		if w := &g.Out[i]; len(w.To) == 0 && (first == nil || w.Priority < first.Priority) {
			first = w
		}
	}
	return first
}

// Exceptions are the places to which HTTPS is let through, or denied, before the rule that decides of everywhere.
func (g *CloudSecurityGroup) Exceptions(denied bool) (out []string) {
	all := g.everywhere()
	for _, w := range g.Out {
		if w.Denies == denied && (all == nil || w.Priority < all.Priority) {
			out = append(out, w.To...)
		}
	}
	return out
}

// SecurityGroups are the groups whose rules were read, each once with all that was read of it.
func SecurityGroups(d *Data) (out []*CloudSecurityGroup) {
	for _, part := range CloudOf[*CloudSecurityGroup](d) {
		same := func(g *CloudSecurityGroup) bool {
			if g.ID != "" && part.ID != "" {
				return strings.EqualFold(g.ID, part.ID)
			}
			return strings.EqualFold(g.Name, part.Name)
		}
		i := slices.IndexFunc(out, same)
		if i < 0 {
			one := *part
			out = append(out, &one)
			continue
		}
		g := out[i]
		for _, w := range part.Out {
			if !slices.ContainsFunc(g.Out, func(o CloudWayOut) bool { return o.Rule == w.Rule && o.Priority == w.Priority }) {
				g.Out = append(slices.Clip(g.Out), w)
			}
		}
		g.ID, g.Part = cmp.Or(g.ID, part.ID), g.Part && part.Part
		if len(g.Subnets) == 0 {
			g.Subnets = part.Subnets
		}
	}
	return out
}
