package endings

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// ClaimBound resolves events of a PersistentVolumeClaim that is bound.
var ClaimBound = &triage.Ending{
	ID:    "claim-bound",
	Doc:   "The PersistentVolumeClaim of the event is bound.",
	Texts: events,
	Reads: []evidence.Kind{evidence.Claims},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Subject.Kind != "PersistentVolumeClaim" {
			return triage.End{}, false
		}
		return triage.End{By: "the claim is bound"}, slices.ContainsFunc(p.Snapshot.Claims(), func(c *corev1.PersistentVolumeClaim) bool {
			return c.Namespace == f.Subject.Namespace && c.Name == f.Subject.Name && c.Status.Phase == corev1.ClaimBound
		})
	},
}
