package messages

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// maxFamilies limits the claims from unread lines to the most severe.
const maxFamilies = 3

// UnreadLines reads lines without a signature: a component that reports a fatal error gets a cause of its family. The cause is at
// most possible, and the line is shown.
var UnreadLines = &triage.Rule{
	ID:    "unread-lines",
	Doc:   "Reads the most severe log lines that match no message pattern, by component and kind of error.",
	Needs: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		list := slices.DeleteFunc(slices.Clone(p.Snapshot.Lines()), func(l *evidence.Line) bool {
			over := timeline.Quiet(l.Speaker, l.Ref.Text, l.Quiet, 0) || facts.EndedLater(p, familyOf(l), l)
			return over || familyOf(l) == "" || read(p, l) || readBeside(p, l)
		})
		slices.SortStableFunc(list, func(a, b *evidence.Line) int {
			return cmp.Or(cmp.Compare(b.Gravity, a.Gravity), cmp.Compare(a.After, b.After), cmp.Compare(a.Ref.Source, b.Ref.Source), cmp.Compare(a.Number, b.Number))
		})
		said := map[string]bool{}
		for _, l := range list {
			cause := familyOf(l)
			if said[cause] || len(said) == maxFamilies || p.Catalog.Cause(cause) == nil {
				continue
			}
			said[cause] = true
			ref := l.Ref
			if l.Count > 1 {
				ref.Locator += fmt.Sprintf(" (%d times)", l.Count)
			}
			p.Found(triage.Claim{
				Says: cause, Subject: l.Subject, Certainty: triage.Possible, LastSeen: l.Time, Evidence: []evidence.Ref{ref}, Key: "line",
				Summary: saysWith(l),
			})
		}
	},
}

// oneReport is within how many lines a tool reports one failure.
const oneReport = 15

// readBeside reports whether a signature matches the reason for a tool's exit in the lines around it.
func readBeside(p *triage.Pass, l *evidence.Line) bool {
	return componentOf(l) == logline.Bootstrap && slices.ContainsFunc(p.Snapshot.MatchesIn(l.Ref.Source), func(m *evidence.Match) bool {
		sig := p.Signatures.Lookup(m.Signature)
		beside := m.Block == l.Block && max(m.LastLine-l.Number, l.Number-m.LastLine) <= oneReport
		return beside && sig != nil && p.Catalog.Cause(sig.Says) != nil && sig.Certainty != signatures.Possible
	})
}

// saysWith describes a line without a signature.
func saysWith(l *evidence.Line) string {
	does := "reports an error"
	if l.Gravity == logline.Fatal {
		does = "stops with an error"
	}
	if reason := innermostError(l.Ref.Text); reason != "" {
		return fmt.Sprintf("%s %s: %s", componentOf(l), does, reason)
	}
	return fmt.Sprintf("%s %s that matches no signature%s", componentOf(l), does, ofKind(logline.KindOf(l.Ref.Text)))
}

// read reports whether a signature matches the line. A signature of a symptom does not count for the exit of a process, or for a
// line repeated to the end.
func read(p *triage.Pass, l *evidence.Line) bool {
	for _, t := range p.Signatures.Match(l.Ref.Text, "") {
		if p.Catalog.Cause(t.Signature.Says) != nil || l.Gravity < logline.Fatal && !repeatedToTheEnd(l) {
			return true
		}
	}
	return false
}

// repeatedToTheEnd reports whether a message was repeated up to the last lines of its text. A message that names a pod or container
// is only about that one.
func repeatedToTheEnd(l *evidence.Line) bool {
	return l.GoesOn() && !ofOnePod.MatchString(l.Ref.Text)
}

// ofOnePod matches the words with which components name the pod or container of a message.
var ofOnePod = lazyregexp.New(`(?i)\bpods?=|\bpodUID\b|\bcontainer(?:ID|Name)?=|\bfor pod\b|\bof pod\b|\bcontainer \S*[0-9a-f]{12}`)
