package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// ShownReadyLater resolves a problem that makes a node NotReady if the same text shows the node Ready further down. Copied terminal
// output is in the order of time.
var ShownReadyLater = &triage.Ending{
	ID:    "shown-ready-later",
	Doc:   "The same text shows the node as Ready later.",
	Texts: logs, OfNode: true,
	Reads: []evidence.Kind{evidence.Nodes},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Line == 0 || ofServer[f.Speaker] || !slices.Contains(unready, p.Catalog.Keeps(f.Says)) {
			return triage.End{}, false
		}
		n := p.Snapshot.Node(f.Node)
		if n == nil || n.Ref.Source != f.Ref.Source || n.Ready() != evidence.True {
			return triage.End{}, false
		}
		return triage.End{By: "the same text later shows node " + n.Name + " as Ready"}, evidence.LineIn(n.Ref.Locator) > f.LastLine
	},
}

// unready are what a Ready node does.
var unready = []string{catalog.Ready, catalog.Answering, catalog.Reporting}

// ofServer are components whose messages may be about clients that are not nodes.
var ofServer = map[logline.Speaker]bool{logline.APIServer: true, logline.Controllers: true}
