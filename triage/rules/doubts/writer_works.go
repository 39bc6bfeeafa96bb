package doubts

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// WriterWorks doubts a message if its writer has kept working without repeating it: a message that would have stopped a kubelet, or
// one at warning level or below.
var WriterWorks = &triage.Doubt{
	ID:     "writer-works",
	Doc:    "The component that logged it has continued to work since.",
	AtMost: triage.Possible,
	Holds: func(p *triage.Pass, f *triage.Failure) bool {
		if f.Kind != evidence.TextLog && f.Kind != "" || f.Quiet <= timeline.StableAfter {
			return false
		}
		ends := f.Speaker == logline.Kubelet && f.Mechanism == "kubelet-run" && p.Catalog.Keeps(f.Says) == catalog.Reporting
		return ends || ofNode[f.Speaker] && warns(f)
	},
}

// ofNode are the components that work as long as they log anything. A network agent may log much and still do nothing.
var ofNode = map[logline.Speaker]bool{logline.Kubelet: true, logline.Containerd: true, logline.CRIO: true, logline.Docker: true}

// warns reports whether a message has the level warning or below.
func warns(f *triage.Failure) bool {
	level, known := logline.LevelOf(timeline.LastText(f.Match))
	return known && level <= logline.Warning
}
