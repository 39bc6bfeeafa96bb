package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// CloudOver resolves a cloud error if the same operation succeeded later, or the resource is healthy. A pool keeps the text of its
// last failure for a while, and is often in the middle of a harmless operation.
var CloudOver = &triage.Ending{
	ID:    "cloud-over",
	Doc:   "The same cloud operation succeeded later or is in progress, or the pool is healthy.",
	Texts: []string{evidence.TextCloud},
	Reads: []evidence.Kind{evidence.CloudState, evidence.CloudLog},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if !f.Ref.ObservedAt.IsZero() {
			return triage.End{By: "the same operation succeeded later"}, p.Snapshot.FailedAt(f.Ref.ObservedAt).Over
		}
		pool := facts.CloudPool(p, f.Subject.Name)
		if pool == nil || f.Subject.Kind != "Pool" {
			return triage.End{}, false
		}
		if strings.HasSuffix(f.Ref.Locator, "provisioningState") {
			under := facts.Changing(&pool.CloudItem) && facts.YoungOperation(p, facts.OperationOn(p, &pool.CloudItem))
			return triage.End{By: "an operation on pool " + pool.Name + " started a short time ago"}, under
		}
		return triage.End{By: "pool " + pool.Name + " is healthy"}, strings.Contains(f.Ref.Locator, "provisioningError") && pool.Stage == evidence.StageDone
	},
}
