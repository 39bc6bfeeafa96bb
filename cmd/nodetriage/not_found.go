package main

import (
	"fmt"
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

// ofNodes is the kind that a node is of.
var ofNodes = []evidence.Kind{evidence.Nodes}

// unreadNodes is the error that ends what needs nodes, where none or not all of them could be read; nil: all were.
func unreadNodes(s *evidence.Snapshot, doing string) error {
	part := s.Incomplete(evidence.Nodes)
	if len(part) == 0 {
		return nil
	}
	return &unreadError{fmt.Errorf("%s: %s: %s; %s", doing, report.Clean(part[0].Title()), report.Clean(part[0].Why), report.Clean(string(part[0].How)))}
}

// unread says why what was asked for may be there all the same, where objects called so could not be read; "" if all were.
// The names are those of a gap: of the kind, or of resources.
func unread(s *evidence.Snapshot, called string, read int, names ...string) string {
	for _, g := range s.Data().Gaps {
		if !slices.Contains(names, string(g.Kind)) && g.Kind != evidence.Everything && !slices.ContainsFunc(strings.Split(g.What, ", "), func(what string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return what == name || strings.HasPrefix(what, name+" ") })
		}) {
			continue
		}
		text := "the " + called + " could not be read: "
		if read > 0 {
			text = "it may be among the " + called + " that could not be read: "
		}
		return strings.TrimSuffix(text+report.Clean(g.Why)+"; "+report.Clean(string(g.How)), "; ")
	}
	return ""
}
