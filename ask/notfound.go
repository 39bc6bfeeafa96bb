package ask

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// notFound returns the error for a name that is not in the evidence. what is its kind in words, names are the known ones. If objects
// of these kinds could not be read, it may exist.
func notFound(s *evidence.Snapshot, what, name string, names []string, kinds ...evidence.Kind) error {
	where := "the evidence"
	if s.Data().Source.Kind == "cluster" {
		where = "the cluster"
	}
	err := error(&UsageError{fmt.Errorf("%s %q not found in %s", what, name, where)})
	hint := suggestion(name, names, what+"s in "+where)
	if part := s.Incomplete(kinds...); len(part) > 0 {
		err = &UnreadError{fmt.Errorf("%s %q is unknown: %s could not be read: %s", what, name, report.Clean(part[0].Title()), report.Clean(part[0].Why))}
		hint = report.Clean(string(part[0].How))
	}
	return &HintError{err, hint}
}

// suggestion returns the name that the user probably meant, or some of the known names.
func suggestion(name string, names []string, what string) string {
	switch near := wording.Nearest(name, names); {
	case near != "":
		return "did you mean " + report.Clean(near) + "?"
	case len(names) == 0:
		return "there are no " + what
	}
	return what + ": " + report.Clean(wording.Some(names))
}

// knownNode returns an error if the evidence has a list of nodes without this node.
func knownNode(s *evidence.Snapshot, name string) error {
	if name == "" || !lacks(s, name) {
		return nil
	}
	return noNode(s, name)
}

// knownNamespace returns an error if the evidence has namespaces, and not this one.
func knownNamespace(s *evidence.Snapshot, name string) error {
	all := namespaces(s)
	if name == "" || len(all) == 0 || slices.Contains(all, name) {
		return nil
	}
	kinds := []evidence.Kind{evidence.Namespaces}
	if s.Covers(evidence.Namespaces) != evidence.Complete {
		kinds = append(kinds, evidence.Pods)
	}
	return notFound(s, "namespace", name, all, kinds...)
}

// refused returns the error of a list that could not be made.
func refused(s *evidence.Snapshot, err error) error {
	var unknown *lists.UnknownError
	if errors.As(err, &unknown) {
		return notFound(s, unknown.What, unknown.Name, unknown.Names, evidence.Nodes)
	}
	return &UsageError{err}
}
