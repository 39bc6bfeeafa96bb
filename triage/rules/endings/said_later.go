package endings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// SaidLater resolves messages that a later message of the same node contradicts. A line that matches two signatures is resolved for
// both.
var SaidLater = &triage.Ending{
	ID:    "said-later",
	Doc:   "A later message of the same node reports the opposite, according to the signatures that end others.",
	Reads: []evidence.Kind{evidence.Events, evidence.Pods},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		if f.Signature == nil {
			return triage.End{}, false
		}
		if end, ok := takenBack(p, f.Signature, f.Match); ok {
			return end, true
		}
		for _, sharper := range p.Signatures.Sharper(f.Signature) {
			for _, same := range p.Snapshot.MatchesOf(sharper.ID) {
				if timeline.Covers(same, f.Match) {
					return takenBack(p, sharper, same)
				}
			}
		}
		return triage.End{}, false
	},
}

// takenBack returns the first later message of the same node that says the opposite.
func takenBack(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) (triage.End, bool) {
	for _, id := range p.Signatures.Ending(sig) {
		for _, end := range p.Snapshot.MatchesOf(id) {
			same := facts.SameNode(p.Snapshot, m.Subject, end.Subject) && !ofAnotherPod(p, m, end)
			atStart := end.Event != nil && timeline.SaidAtStart(p.Snapshot, end.Event, p.Now)
			if same && !atStart && timeline.Later(m, end) {
				return triage.End{By: fmt.Sprintf("%s logged later: %s", facts.OrUnknown(string(end.Speaker)), timeline.ShortLine(end)), At: end.Last}, true
			}
		}
	}
	return triage.End{}, false
}

// ofAnotherPod reports whether the later message names a pod that the earlier one and the lines around it do not name. Lines around
// it that match the later signature do not count.
func ofAnotherPod(p *triage.Pass, m, end *evidence.Match) bool {
	pod := end.Captures["pod"]
	if pod == "" {
		return false
	}
	endsOther := func(t signatures.Tally) bool { return t.Signature.ID == end.Signature }
	return !slices.ContainsFunc(facts.Texts(m), func(text string) bool {
		return namesPod(text, pod) && !slices.ContainsFunc(p.Signatures.Match(text, end.Kind), endsOther)
	})
}

// namesPod reports whether a text contains the name of a pod as a whole word: web-1 is not web-10.
func namesPod(text, pod string) bool {
	inNames := func(r rune) bool { return 'a' <= r && r <= 'z' || strings.ContainsRune("0123456789-.", r) }
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !inNames(r) }), pod)
}
