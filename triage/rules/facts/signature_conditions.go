package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// Counts reports whether the conditions of a signature hold. Its speaker may write it, one of "with" is in the same block, and one
// of "beside" and none of "unless" are about the same node.
func Counts(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	return FailedCondition(p, sig, m) == ""
}

// FailedCondition returns the condition of a signature that does not hold for a message; empty: all hold.
func FailedCondition(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) string {
	which := func(ids []string, where func(other *evidence.Match) bool) string {
		for _, id := range ids {
			if slices.ContainsFunc(p.Snapshot.MatchesOf(id), func(other *evidence.Match) bool {
				return SameNode(p.Snapshot, m.Subject, other.Subject) && where(other)
			}) {
				return id
			}
		}
		return ""
	}
	said := func(ids []string, where func(other *evidence.Match) bool) bool { return which(ids, where) != "" }
	anywhere := func(*evidence.Match) bool { return true }
	about := func(other *evidence.Match) bool { return !timeline.LongBefore(other, m) }
	inBlock := func(other *evidence.Match) bool { return together(m, other) }
	switch {
	case sig.Heard(m.Speaker) == "":
		return "its speaker is none of the signature's speakers"
	case len(sig.With) > 0 && !said(sig.With, inBlock):
		return `no signature that it needs in the same block ("with": ` + strings.Join(sig.With, ", ") + `) was matched`
	case len(sig.Beside) > 0 && !said(sig.Beside, anywhere):
		return `no signature that it needs about the same node ("beside": ` + strings.Join(sig.Beside, ", ") + `) was matched`
	case said(sig.Unless, about):
		return `a signature that excludes it ("unless") was matched about the same node: ` + which(sig.Unless, about)
	case !lasts(p, sig, m):
		return "the component logs it at every start"
	}
	return ""
}

// together reports whether two messages may belong together: lines of one block of one source, or messages of the same object if
// they have no lines.
func together(a, b *evidence.Match) bool {
	if a.Line > 0 && b.Line > 0 {
		return a.Ref.Source == b.Ref.Source && a.Block == b.Block
	}
	return a.Line == 0 && b.Line == 0 || a.Subject == b.Subject && !a.Subject.IsZero()
}
