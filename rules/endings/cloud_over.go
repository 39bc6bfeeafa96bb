package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/rules/facts"
	"github.com/nodetriage/nodetriage/triage"
)

// CloudOver ends an error of the cloud after which the same operation succeeded, or whose resource is well. A pool keeps the text of
// its last failure for a while, and is in the middle of something for a while without any harm.
var CloudOver = &triage.Ending{
	ID:    "cloud-over",
	Doc:   "The same operation of the cloud succeeded later, or the resource is well.",
	Texts: []string{evidence.TextCloud},
	Reads: []evidence.Kind{evidence.CloudState, evidence.CloudLog},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		over := triage.End{By: "the same operation succeeded later, or the resource is well"}
		if !f.Ref.ObservedAt.IsZero() {
			return over, p.Snapshot.FailedAt(f.Ref.ObservedAt).Over
		}
		pool := facts.CloudPool(p, f.Subject.Name)
		if pool == nil || f.Subject.Kind != "Pool" {
			return over, false
		}
		if strings.HasSuffix(f.Ref.Locator, "provisioningState") {
			return over, facts.Changing(&pool.CloudItem) && facts.YoungOperation(p, facts.OperationOn(p, &pool.CloudItem))
		}
		return over, strings.Contains(f.Ref.Locator, "provisioningError") && pool.Stage == evidence.StageDone
	},
}
