package collect

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

var (
	// deniedFault matches words about a fault that a sentence denies.
	deniedFault = lazyregexp.New(`(?i)\b(?:not|never|isn.t|aren.t|wasn.t|weren.t|no longer) (?:\w{2,12}ly )?(?:block|drop|filter|reject|interfer|corrupt|damag|exhaust|full\b|down\b|broken\b)`)
	// deniedStart matches the words before what a sentence denies.
	deniedStart = lazyregexp.New(`(?i)\b(?:is|was|are|were) (?:not|never|no longer) (?:\w{2,12}ly )?(?:a |an |the )?$`)
	// deniedCause matches the rest of a sentence that denies what it named.
	deniedCause = lazyregexp.New(`(?i)^[^.;:,]{0,30}\b(?:is|was|are|were) not the (?:problem|cause|reason|issue|culprit)\b`)
)

// denied reports whether all that a signature matches are denials of an unknown author: "the firewall is not blocking traffic", "disk
// pressure was not the cause". Programs do not report what does not happen, so log lines are never denials.
func denied(m *evidence.Match, t signatures.Tally) bool {
	const kept = 2 // a tally keeps the first and the last text
	if m.Speaker != logline.Unknown || m.Count > kept {
		return false
	}
	return denies(t.Signature, t.Text) && (t.LastText == "" || denies(t.Signature, t.LastText))
}

// denies reports whether a sentence denies what the signature matches in it.
func denies(sig *signatures.Signature, text string) bool {
	if logline.Stamped(text) {
		return false
	}
	hit := sig.Hit(text)
	before, after, found := strings.Cut(text, hit)
	if !found || hit == "" {
		return false
	}
	end := deniedCause.FindString(after)
	other := strings.Contains(end, " and ") || strings.Contains(end, " but ") // the denial is about what follows
	return deniedFault.MatchString(hit) || deniedStart.MatchString(before) || end != "" && !other
}
