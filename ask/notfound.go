package ask

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// Kinds that questions name, in words.
const (
	aNode      = "node"
	aPool      = "node pool"
	aNamespace = "namespace"
	aPod       = "pod"
)

// listing returns the command that lists the objects of a kind; "" for kinds that kubectl get lists.
func listing(kind string) string {
	switch kind {
	case aNode:
		return "nodetriage nodes"
	case aPool:
		return "nodetriage pools"
	case aNamespace:
		return "kubectl get namespaces"
	case "PodDisruptionBudget":
		return "nodetriage poddisruptionbudgets"
	}
	return ""
}

// notFound returns the error for a name that is not in the evidence. If objects of its kind could not be read, it may exist.
func notFound(s *evidence.Snapshot, absent *evidence.AbsentError) error {
	what := fmt.Sprintf("%s %q", absent.What, report.Clean(absent.Name))
	if reason, hint := unread(s, plural(absent.What), len(absent.Names), gapsOf(s, absent.What)...); reason != "" {
		return &UnreadError{withHint(fmt.Errorf("%s is unknown: %s", what, reason), hint)}
	}
	hint := suggestion(absent)
	if absent.What == aNode && len(absent.Names) == 0 {
		hint = "add the output of kubectl get nodes -o yaml"
	}
	return hintf(hint, "%s not found in %s", what, place(s, absent))
}

// place returns where the object was sought, and how many others of its kind are there.
func place(s *evidence.Snapshot, absent *evidence.AbsentError) string {
	where := "the evidence"
	switch {
	case absent.Namespace != "" && len(absent.Names) > 0:
		return fmt.Sprintf("namespace %q", report.Clean(absent.Namespace))
	case s.Data().Source.Kind == "cluster":
		where = "the cluster"
	}
	return fmt.Sprintf("%s (%s)", where, wording.Count(len(absent.Names), absent.What))
}

// suggestion returns the name that the user probably meant, the few that exist, or the command that lists them.
func suggestion(absent *evidence.AbsentError) string {
	const few = 3
	switch near := wording.Nearest(absent.Name, absent.Names); {
	case near != "":
		return "did you mean " + report.Clean(near) + "?"
	case absent.Namespace == "" && len(absent.Names) > 0 && len(absent.Names) <= few:
		return "existing " + plural(absent.What) + ": " + report.Clean(wording.Some(absent.Names))
	case listing(absent.What) != "":
		return listing(absent.What) + " lists them"
	}
	return string(shell.Format("kubectl get {kinds} -A lists them", plural(absent.What)))
}

// gapsOf returns the names that a gap in the objects of a kind has: of the kind of evidence, or of resources.
func gapsOf(s *evidence.Snapshot, what string) []string {
	switch what {
	case aPool:
		return []string{string(evidence.Nodes)}
	case aNamespace:
		if s.Covers(evidence.Namespaces) != evidence.Complete { // then they are those of the objects
			return []string{string(evidence.Namespaces), string(evidence.Pods)}
		}
		return []string{string(evidence.Namespaces)}
	case aNode, aPod:
		return []string{plural(what)}
	case "PodDisruptionBudget":
		return []string{string(evidence.PDBs)}
	}
	return []string{plural(what), string(evidence.Workloads)}
}

func plural(what string) string { return what + "s" }

// missing reports whether the evidence has a list of nodes that does not contain the node. A pasted log has no list of nodes.
func missing(s *evidence.Snapshot, node string) bool {
	return s.Covers(evidence.Nodes) != evidence.NotRead && s.Node(node) == nil
}

// noNode returns the error for a node that is not in the evidence.
func noNode(s *evidence.Snapshot, name string) error {
	names := make([]string, 0, len(s.Data().Nodes))
	for _, n := range s.Data().Nodes {
		names = append(names, n.Name)
	}
	return notFound(s, &evidence.AbsentError{What: aNode, Name: name, Names: names})
}

// knownNode returns an error if the evidence has a list of nodes without this node.
func knownNode(s *evidence.Snapshot, name string) error {
	if name == "" || !missing(s, name) {
		return nil
	}
	return noNode(s, name)
}

// knownNamespace returns an error if the evidence has namespaces, or objects in namespaces, and not this one.
func knownNamespace(s *evidence.Snapshot, name string) error {
	all := namespaces(s)
	if name == "" || len(all) == 0 || slices.Contains(all, name) {
		return nil
	}
	return notFound(s, &evidence.AbsentError{What: aNamespace, Name: name, Names: all})
}

// refused returns the error of an answer that could not be made.
func refused(s *evidence.Snapshot, err error) error {
	var absent *evidence.AbsentError
	if errors.As(err, &absent) {
		return notFound(s, absent)
	}
	return &UsageError{err}
}
