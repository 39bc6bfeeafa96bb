package endings

import (
	"fmt"

	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// InstallerFinished resolves what an installer reported before it succeeded. Its last outcome counts: it tries again, or goes without
// what it reported.
var InstallerFinished = &triage.Ending{
	ID:  "installer-finished",
	Doc: "The installer that reported it (kubeadm, minikube, kind, openshift-install, ...) succeeded later in the same text.",
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		at := timeline.Position{Source: f.Ref.Source, Block: f.Block, Line: f.LastLine, Speaker: f.Speaker, Text: timeline.LastText(f.Match)}
		done, ok := timeline.Finished(p.Snapshot, at, f.Says)
		if !ok {
			return triage.End{}, false
		}
		return triage.End{By: fmt.Sprintf("its installer succeeded later: %s", timeline.ShortLine(done)), At: done.Last}, true
	},
}
