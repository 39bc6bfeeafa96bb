package reports

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// notLoaded reports whether the runtime of the node finds no network configuration in a folder that has one.
func notLoaded(p *triage.Pass, r *nodereport.Report) bool {
	if c := r.CNI; c.Binaries != nil && len(c.Binaries) == 0 {
		return false // the runtime cannot load it without plugins
	}
	return slices.ContainsFunc(facts.Said(p, "cni-uninitialized"), func(m *evidence.Match) bool {
		return r.Node != "" && p.Snapshot.NodeOf(m.Subject) == r.Node
	})
}
