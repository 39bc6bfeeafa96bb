package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// CloudSecurityGroup is a network security group, or a part of it because a cloud also returns single rules.
type CloudSecurityGroup struct {
	CloudItem
	Part    bool          // single rules were read, and there may be others
	Subnets []string      // IDs of its subnets; none: unknown
	Out     []CloudWayOut // outbound HTTPS rules
}

// CloudWayOut is an outbound HTTPS rule.
type CloudWayOut struct {
	Rule     string
	Priority int // the lowest is evaluated first
	Denies   bool
	To       []string // destinations; none: all
}

// Denial returns the rule that denies HTTPS to all destinations before another rule allows it, in words; empty: none.
func (g *CloudSecurityGroup) Denial() string {
	if w := g.everywhere(); w != nil && w.Denies {
		return fmt.Sprintf("%s (priority %d)", w.Rule, w.Priority)
	}
	return ""
}

// everywhere returns the first rule for HTTPS to all destinations; nil: none.
func (g *CloudSecurityGroup) everywhere() *CloudWayOut {
	var first *CloudWayOut
	for i := range g.Out {
		if w := &g.Out[i]; len(w.To) == 0 && (first == nil || w.Priority < first.Priority) {
			first = w
		}
	}
	return first
}

// Exceptions returns the destinations with an allow or deny rule before the rule for all destinations.
func (g *CloudSecurityGroup) Exceptions(denied bool) (out []string) {
	all := g.everywhere()
	for _, w := range g.Out {
		if w.Denies == denied && (all == nil || w.Priority < all.Priority) {
			out = append(out, w.To...)
		}
	}
	return out
}

// SecurityGroups returns the groups with rules in the evidence, each once and merged.
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
