package main

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
)

// noSuchNode says what the evidence has instead, and where nodes could not be read, that the node may be among them.
func noSuchNode(s *evidence.Snapshot, name string) string {
	names := make([]string, 0, len(s.Data().Nodes))
	for _, n := range s.Data().Nodes {
		names = append(names, n.Name)
	}
	if why := unread(s, "nodes", len(names), string(evidence.Nodes)); why != "" {
		return why
	}
	if len(names) == 0 {
		return "the evidence has no nodes; add the output of kubectl get nodes -o yaml"
	}
	if near := nearest(name, names); near != "" {
		return "the evidence does not have it; did you mean " + report.Clean(near) + "?"
	}
	return "the evidence does not have it; nodetriage nodes lists those that it has"
}

// unread says why what was asked for may be there all the same, where objects called so could not be read; "" if all were.
// The names are those of a gap: of the kind, or of resources.
func unread(s *evidence.Snapshot, called string, read int, names ...string) string {
	for _, g := range s.Data().Gaps {
		if !slices.ContainsFunc(strings.Split(g.What, ", "), func(what string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return what == name || strings.HasPrefix(what, name+" ") })
		}) {
			continue
		}
		text := "the " + called + " could not be read: "
		if read > 0 {
			text = "it may be among the " + called + " that could not be read: "
		}
		return strings.TrimSuffix(text+report.Clean(g.Why)+"; "+report.Clean(g.How), "; ")
	}
	return ""
}
