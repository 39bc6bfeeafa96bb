package rules

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// checkedCauses are those of which the cloud's state now tells whether they still hold.
var checkedCauses = []string{
	"cloud-quota-exceeded", "cloud-public-ip-limit", "cloud-resource-locked", "cloud-policy-denied", "cloud-credentials-expired",
	"cloud-permission-denied", "cloud-capacity-unavailable", "cloud-resource-missing",
}

// cloudStrength is how sure an error in a cloud's answer makes of its cause. The same in two places that do not copy each
// other, or with a state that agrees, is proven; one place alone makes it likely, and no more where the state is clean now.
func cloudStrength(p *triage.Pass, says string, m *evidence.Match, sure triage.Confidence) triage.Confidence {
	if sure != triage.Certain || m.Kind != evidence.TextCloud || !slices.Contains(checkedCauses, says) {
		return sure
	}
	proof, read := stateOf(p, says)
	if len(proof) > 0 || !read && len(toldBy(linesSaying(p, says))) > 1 {
		return sure
	}
	return triage.Likely
}

// toldBy are the kinds of places in which the messages stand: the activity log, the error that a pool or cluster keeps, the
// view of a machine.
func toldBy(list []*evidence.Match) map[string]bool {
	places := map[string]bool{}
	for _, m := range list {
		locator := strings.ToLower(m.Ref.Locator)
		switch {
		case strings.Contains(locator, "statusmessage"):
			places["log"] = true
		case strings.Contains(locator, "provisioningerror"):
			places["resource"] = true
		case strings.Contains(locator, "statuses"):
			places["view"] = true
		default:
			places["text"] = true
		}
	}
	return places
}
