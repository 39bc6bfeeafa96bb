package doubts

import (
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Contradicted doubts a message if what its cause would stop keeps working, both before the last message and after it.
var Contradicted = &triage.Doubt{
	ID:     "contradicted",
	Doc:    "Operations that the problem would stop continue before and after the message.",
	AtMost: triage.Possible,
	Reads:  []evidence.Kind{evidence.Nodes, evidence.Leases},
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		cause := p.Catalog.Cause(f.Says)
		if cause == nil {
			return false
		}
		if f.Last.IsZero() {
			return f.Line > 0 && facts.StopsLeases(p, f.Says) && allHeardNow(p)
		}
		if facts.StopsLeases(p, f.Says) {
			rare := f.Count <= few || timeline.Pause(f.Match) > seldom
			return rare && facts.AllReadyThrough(p, f.Match)
		}
		if cause.Keeps != catalog.Reporting || f.Count < 2 {
			return false
		}
		n := p.Snapshot.Node(f.Node)
		return n != nil && facts.ReadyThrough(n, f.Match) && facts.HeardOf(p, n).After(f.Last.Add(-2*timeline.Pause(f.Match)))
	},
}

// seldom is longer than the interval of two requests that must not fail. Kubelets renew their leases every 10 s, controllers every
// 2 s (kubernetes staging/src/k8s.io/component-base/config/options/leaderelectionconfig.go, 1.36.3).
const seldom = time.Minute

// few is the number of lines that single failed requests write: an API server writes two for each (apiserver
// pkg/endpoints/handlers/responsewriters/writers.go, v0.36.3).
const few = 4

// allHeardNow reports whether all kubelets were reporting when the evidence was taken. A line without a time is then older, or its
// problem comes and goes.
func allHeardNow(p *triage.Pass) bool {
	nodes := p.Snapshot.Nodes()
	return len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n *evidence.Node) bool {
		return n.Partial || n.Ready() != evidence.True || facts.HeardOf(p, n).Before(p.Now.Add(-mechanics.StaleStatus))
	})
}
