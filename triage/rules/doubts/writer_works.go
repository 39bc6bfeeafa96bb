package doubts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// WriterWorks doubts what would have ended a kubelet, or what its writer calls no more than a warning, where the writer has gone on
// without it since.
var WriterWorks = &triage.Doubt{
	ID:     "writer-works",
	Doc:    "Who said it has gone on since, so that it did not keep it from its work.",
	AtMost: triage.Possible,
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if f.Kind != evidence.TextLog && f.Kind != "" || f.Quiet <= timeline.Settled {
			return false
		}
		ends := f.Speaker == logline.Kubelet && f.Mechanism == "kubelet-run" && p.Catalog.Keeps(f.Says) == catalog.Reporting
		return ends || ofNode[f.Speaker] && warns(f)
	},
}

// ofNode are the components whose work is seen as long as they say anything. An agent may say much, and do nothing of what is asked of it.
var ofNode = map[logline.Speaker]bool{logline.Kubelet: true, logline.Containerd: true, logline.CRIO: true, logline.Docker: true}

// warns reports whether the writer of a message calls it a warning, or less.
func warns(f *triage.Failure) bool {
	level, known := logline.LevelOf(timeline.LastText(f.Match))
	return known && level <= logline.Warning
}
