package cloud

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Confirmed compares cloud errors with the current cloud state. A code that the state supports is proven. If the state was read and
// does not show the problem, the code was the cause then and may be resolved.
var Confirmed = &triage.Rule{
	ID:       "cloud-confirmed",
	Doc:      "Compares errors of the cloud with its current quotas, locks, policies and identities.",
	NeedsOne: []evidence.Kind{evidence.Messages, evidence.CloudState},
	Reads:    []evidence.Kind{evidence.CloudLog},
	Check: func(p *triage.Pass) {
		for _, cause := range facts.CheckedCauses {
			lines := facts.LinesSaying(p, cause)
			proof, read := facts.StateOf(p, cause)
			switch {
			case len(lines) == 0:
				standing(p, cause)
				alone(p, cause, proof)
				if read && len(proof) == 0 && !slices.Contains(notSeen, cause) {
					p.RuleOut(cause, evidence.ClusterSubject(), "the cloud reported no such error, and its current state does not show one")
				}
			case !read:
				p.Unknown("whether "+strings.TrimPrefix(cause, "cloud-")+" still holds", "the cloud resource behind the error was not read", facts.Cloud(p).Command(readBy[cause]))
			case len(proof) == 0:
				p.Unknown("whether "+strings.TrimPrefix(cause, "cloud-")+" still holds", "the cloud's current state no longer shows it; it was the cause "+given(lines), shell.Format("repeat the failed operation: nodetriage repair reconcile {pool}", unitOf(lines)))
			default:
				seen := map[evidence.Subject]bool{}
				for _, m := range lines {
					if seen[m.Subject] {
						continue
					}
					claim := triage.Claim{
						Says: cause, Subject: m.Subject, Certainty: triage.Certain, Key: "state", Since: m.First,
						Evidence: append([]evidence.Ref{m.Ref}, proof...), Summary: proof[0].Text,
					}
					if cause == deniedCause && !ofCluster(p, m, &claim) {
						continue
					}
					seen[m.Subject] = true
					p.Found(claim)
				}
			}
		}
	},
}

// notSeen are causes that a clean state does not rule out: another resource may be missing, a size may have no capacity.
var notSeen = []string{"cloud-resource-missing", "cloud-capacity-unavailable"}

// given describes when an error last occurred, if its log has a time.
func given(lines []*evidence.Match) string {
	var last time.Time
	for _, m := range lines {
		if m.Ref.ObservedAt.After(last) {
			last = m.Ref.ObservedAt
		}
	}
	if last.IsZero() {
		return "at the time of the error"
	}
	return "at " + last.UTC().Format("2006-01-02T15:04:05Z")
}

// unitOf returns what has to be reconciled: the pool of the errors, or the cluster.
func unitOf(lines []*evidence.Match) string {
	for _, m := range lines {
		if m.Subject.Kind == "Pool" {
			return m.Subject.Name
		}
	}
	return "cluster"
}

// readBy maps causes to the action that shows the state behind them.
var readBy = map[string]advice.Action{
	"cloud-quota-exceeded": advice.ShowQuota, "cloud-public-ip-limit": advice.ShowAddressQuota,
	"cloud-resource-locked": advice.ShowLocks, "cloud-policy-denied": advice.ShowPolicies,
	"cloud-credentials-expired": advice.ShowIdentity, "cloud-permission-denied": advice.ShowRights,
	"cloud-capacity-unavailable": advice.ShowSizes, "cloud-resource-missing": advice.ShowResource,
}
