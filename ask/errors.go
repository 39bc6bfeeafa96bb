package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// UsageError is a question that makes no sense, or evidence that cannot be read. The same question fails again.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// UnreadError reports that an object was not found and may exist: not all objects of its kind were read.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return e.Err.Error() }
func (e *UnreadError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// noNode is the error for a node that is not in the evidence; doing is what was asked of it.
func noNode(s *evidence.Snapshot, doing, name string) error {
	err := fmt.Errorf("%s: %s", doing, noSuchNode(s, name))
	if len(s.Incomplete(evidence.Nodes)) > 0 {
		return &UnreadError{err}
	}
	return &UsageError{err}
}

// lacks reports whether the evidence has a list of nodes and the node is not on it. A pasted log has no list of nodes.
func lacks(s *evidence.Snapshot, node string) bool {
	return s.Covers(evidence.Nodes) != evidence.NotRead && s.Node(node) == nil
}

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
	if near := wording.Nearest(name, names); near != "" {
		return "the evidence does not have it; did you mean " + report.Clean(near) + "?"
	}
	return "the evidence does not have it; nodetriage nodes lists those that it has"
}

// unreadNodes is the error that ends a question that needs nodes, if not all of them could be read; nil: all were.
func unreadNodes(s *evidence.Snapshot, doing string) error {
	part := s.Incomplete(evidence.Nodes)
	if len(part) == 0 {
		return nil
	}
	return &UnreadError{fmt.Errorf("%s: %s: %s; %s", doing, report.Clean(part[0].Title()), report.Clean(part[0].Why), report.Clean(string(part[0].How)))}
}

// unread says why what was asked for may exist, if objects called so could not be read; "" if all were. The names are those of a
// gap: of the kind, or of resources.
func unread(s *evidence.Snapshot, called string, read int, names ...string) string {
	for _, g := range s.Data().Gaps {
		if !concerns(g, names) {
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

// concerns reports whether a gap is of one of these kinds or resources.
func concerns(g evidence.Gap, names []string) bool {
	if g.Kind == evidence.Everything || slices.Contains(names, string(g.Kind)) {
		return true
	}
	return slices.ContainsFunc(strings.Split(g.What, ", "), func(what string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return what == name || strings.HasPrefix(what, name+" ") })
	})
}
