package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// CheckedCauses are causes for which the current cloud state shows whether they still hold.
var CheckedCauses = []string{
	"cloud-quota-exceeded", "cloud-public-ip-limit", "cloud-resource-locked", "cloud-policy-denied", "cloud-credentials-expired",
	"cloud-permission-denied", "cloud-capacity-unavailable", "cloud-resource-missing",
}

// CertaintyOf returns the certainty of a signature. That of a cloud error which the state of the cloud can confirm is lowered to
// likely, unless two independent places or that state report the error.
func CertaintyOf(p *triage.Pass, sig *signatures.Signature) triage.Certainty {
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

// toldBy returns the kinds of places of the messages: the activity log, the error stored on a pool or cluster, the instance view of
// a machine.
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
