package endings

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
	"github.com/nodetriage/nodetriage/wording"
)

// RareOnWellNodes resolves slow requests of a control plane that are hours apart, if all nodes stayed Ready. A machine that was
// suspended, a backup or a start writes such lines.
var RareOnWellNodes = &triage.Ending{
	ID:    "rare-on-well-nodes",
	Doc:   "The message has several reasons and recurs only after hours, and all nodes have stayed Ready.",
	Ends:  []string{"control-plane"},
	Texts: logs, Dated: true,
	Reads: []evidence.Kind{evidence.Nodes, evidence.Leases},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		pause := timeline.Pause(f.Match)
		if f.Signature == nil || f.Count < 2 || pause < rare {
			return triage.End{}, false
		}
		open := f.Signature.Certainty != signatures.Certain && f.Signature.Certainty != signatures.Likely
		by := fmt.Sprintf("on average %s are between two of the messages, and all nodes stayed Ready", wording.Duration(pause))
		return triage.End{By: by, At: f.Last}, open && facts.AllReadyThrough(p, f.Match)
	},
}

// rare is the least average time between two messages of separate moments.
const rare = 2 * time.Hour
