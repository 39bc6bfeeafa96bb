package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// misses reports whether one of the states that a remedy needs is known to be missing.
func (g *graph) misses(needs []string, subjects []evidence.Subject, fill fill) bool {
	return slices.ContainsFunc(needs, func(need string) bool {
		switch need {
		case catalog.Copies:
			return slices.ContainsFunc(subjects, g.member)
		case catalog.Unhealthy:
			return allHealthy(g.in.Snapshot, fill["namespace"], fill["pdb"])
		case catalog.OtherNodes:
			return onlyOne(g.in.Snapshot)
		case catalog.SilentRuntime:
			return slices.ContainsFunc(g.in.Snapshot.NodeReports(), runtimeAnswers)
		}
		return false
	})
}

// runtimeAnswers reports whether a CRI client got a status from the runtime of the node.
func runtimeAnswers(r *nodereport.Report) bool {
	return r.Runtime != nil && r.Runtime.RuntimeReady != nil && *r.Runtime.RuntimeReady
}

// drains reports whether a command drains the node of the finding, or plans to.
func drains(command shell.Text) bool {
	return strings.HasPrefix(string(command), "kubectl drain {node}") || strings.HasPrefix(string(command), "nodetriage drain {node}")
}

// cannotDrain reports whether an eviction from the node would never end: its kubelet does not answer, or no runtime stops
// containers there.
func (g *graph) cannotDrain(node string) bool {
	n := g.in.Snapshot.Node(node)
	return n != nil && !mechanics.EndsPods(n)
}

// ordinal matches the name of a StatefulSet pod.
var ordinal = lazyregexp.New(`^[a-z0-9.-]*[a-z0-9]-\d{1,3}$`)

// member reports whether the subject is a pod of a StatefulSet: by its owner, or by its name if the owner is unknown.
func (g *graph) member(s evidence.Subject) bool {
	if s.Kind != "Pod" {
		return false
	}
	p := g.in.Snapshot.Pod(s.Namespace, s.Name)
	if p == nil || mechanics.Replaces(p) == mechanics.NotKnown {
		return ordinal.MatchString(s.Name)
	}
	return mechanics.Replaces(p) == mechanics.WhenGone
}

// allHealthy reports whether the PodDisruptionBudget was read and has all its pods healthy. A table shows no count: then all listed
// pods of the namespace must work.
func allHealthy(s *evidence.Snapshot, namespace, name string) bool {
	i := slices.IndexFunc(s.PDBs(), func(b *evidence.PDB) bool { return b.Namespace == namespace && b.Name == name })
	if i < 0 {
		return false
	}
	if b := s.PDBs()[i]; b.Counted() {
		return b.Status.ExpectedPods > 0 && b.Status.CurrentHealthy >= b.Status.ExpectedPods
	}
	return mechanics.AllWork(s, namespace)
}

// onlyOne reports whether all nodes were read and there is only one.
func onlyOne(s *evidence.Snapshot) bool {
	return len(s.Nodes()) == 1 && s.Covers(evidence.Nodes) == evidence.Complete
}
