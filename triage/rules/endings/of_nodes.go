package endings

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// ofNode returns the node that an event is about; nil: another object, or the node was not read.
func ofNode(p *triage.Pass, f *triage.Failure) *evidence.Node {
	if f.Subject.Kind != "Node" {
		return nil
	}
	return p.Snapshot.Node(f.Subject.Name)
}
