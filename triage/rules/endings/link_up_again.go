package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// LinkUpAgain resolves a lost carrier if a later node report shows the device up.
var LinkUpAgain = &triage.Ending{
	ID:     "link-up-again",
	Doc:    "A later report of the node shows that the interface is up again.",
	OfNode: true, Dated: true,
	Reads: []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		lost := lostCarrier.FindStringSubmatch(timeline.LastText(f.Match))
		if lost == nil {
			return triage.End{}, false
		}
		for _, r := range p.Snapshot.Reports(f.Node) {
			up := slices.ContainsFunc(r.Links, func(l nodereport.Link) bool { return l.Name == lost[1] && l.State == "UP" })
			if up && r.TakenAt.After(f.Last) {
				return triage.End{By: lost[1] + " is up", At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

// lostCarrier matches messages of kernel and network managers about a device that lost its link.
var lostCarrier = lazyregexp.New(`\b([a-z][\w.-]{1,14}): (?:Lost carrier|carrier lost|(?:NIC )?Link is Down)`)
