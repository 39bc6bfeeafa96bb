package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
)

// UsageError is an invalid question, or evidence that cannot be read. A retry fails again.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// UnreadError reports that an object was not found but may exist, because not all objects of its kind were read.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return e.Err.Error() }
func (e *UnreadError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// unreadNodes returns an error if a question needs all nodes and some could not be read.
func unreadNodes(s *evidence.Snapshot, doing string) error {
	part := s.Incomplete(evidence.Nodes)
	if len(part) == 0 {
		return nil
	}
	err := fmt.Errorf("%s: %s: %s", doing, report.Clean(part[0].Title()), report.Clean(part[0].Why))
	return &UnreadError{withHint(err, report.Clean(string(part[0].How)))}
}

// unread returns why a missing object may exist although it was not read, and how to read it; "" if all such objects were read.
// called lists the names used in a gap: of the kind, or of resources.
func unread(s *evidence.Snapshot, called string, read int, names ...string) (reason, hint string) {
	for _, g := range s.Data().Gaps {
		if !concerns(g, names) {
			continue
		}
		reason = "the " + called + " could not be read: "
		if read > 0 {
			reason = "it may be among the " + called + " that could not be read: "
		}
		return reason + report.Clean(g.Why), report.Clean(string(g.How))
	}
	return "", ""
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
