package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// CheckedCauses are those of which the cloud's state now tells whether they still hold.
var CheckedCauses = []string{
	"cloud-quota-exceeded", "cloud-public-ip-limit", "cloud-resource-locked", "cloud-policy-denied", "cloud-credentials-expired",
	"cloud-permission-denied", "cloud-capacity-unavailable", "cloud-resource-missing",
}

// CloudStrength is how sure the signature of an error makes of its cause. Of a cloud whose state can be read, the same
// error in two places that do not copy each other, or with a state that agrees, is proven; one place alone makes it
// likely, and no more where the state is clean now.
func CloudStrength(p *triage.Pass, sig *signatures.Signature) triage.Certainty {
	sure := triage.Certainty(sig.Certainty)
	if sure != triage.Certain || sig.Provable != signatures.Cloud || !slices.Contains(CheckedCauses, sig.Says) {
		return sure
	}
	proof, read := StateOf(p, sig.Says)
	if len(proof) > 0 || !read && len(toldBy(LinesSaying(p, sig.Says))) > 1 {
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
