package messages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// reasonDropped returns why a matched message does not count; empty: it supports what its signature says.
func reasonDropped(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) string {
	if because := facts.FailedCondition(p, sig, m); because != "" {
		return because
	}
	if surer := secondOpinion(p, sig, m); surer != nil {
		return fmt.Sprintf("another signature matches the same line with higher certainty: %s (%s), cause %s", surer.ID, surer.Certainty, surer.Says)
	}
	switch {
	case facts.Starting(p, m):
		return "its object has just started, or its component retries by design"
	case settled(p, sig, m):
		return "a rule evaluates the state itself: " + strings.Join(judgedBy(p, sig), ", ")
	case ordinary(sig, m):
		return "it was logged at info level, and only its words mention a problem"
	case denies(sig, m):
		return "the sentence says that it is not so"
	case countsNone(sig, m):
		return "it is a counter, and its value is zero"
	case resultSaid(p, sig, m):
		return "the same line contains the result of the failed request"
	}
	return ""
}

// settled reports whether a rule that the signature or its cause names has better data than the message.
func settled(p *triage.Pass, sig *signatures.Signature, m *evidence.Match) bool {
	judging := judgedBy(p, sig)
	return slices.ContainsFunc(p.Rulebook.Rules, func(r *triage.Rule) bool {
		return r.JudgesInstead != nil && slices.Contains(judging, r.ID) && r.JudgesInstead(p, m)
	})
}

// judgedBy returns the rules that a signature and its cause name in judgedBy.
func judgedBy(p *triage.Pass, sig *signatures.Signature) []string {
	out := []string{sig.JudgedBy}
	if cause := p.Catalog.Cause(sig.Says); cause != nil {
		out = append(out, cause.JudgedBy)
	}
	return slices.DeleteFunc(out, func(id string) bool { return id == "" })
}

// wordsOfPeople is the prefix of signatures for everyday words.
const wordsOfPeople = "words-"

// ordinary reports whether a signature for everyday words matched only lines that their writer logs below warning level.
func ordinary(sig *signatures.Signature, m *evidence.Match) bool {
	plain := func(line string) bool {
		level, told := logline.LevelOf(line)
		return told && level == logline.Plain
	}
	last := m.LastText == "" || plain(m.LastText)
	return strings.HasPrefix(sig.ID, wordsOfPeople) && plain(m.Ref.Text) && last
}

// titlesOfPeople is the prefix of signatures for titles of threads.
const titlesOfPeople = "report-"

// denial matches a negation at the end of the text before what a signature matched.
var denial = lazyregexp.New(`(?i)(?:^|[^\pL])(?:no|without|never|neither)\s+(?:any\s+|more\s+)?$`)

// denies reports whether a signature for the words of people matched what the sentence denies: "No swap on these VMs".
func denies(sig *signatures.Signature, m *evidence.Match) bool {
	if !strings.HasPrefix(sig.ID, wordsOfPeople) && !strings.HasPrefix(sig.ID, titlesOfPeople) {
		return false
	}
	hit := sig.Hit(m.Ref.Text)
	before, _, found := strings.Cut(m.Ref.Text, hit)
	return hit != "" && found && denial.MatchString(before)
}

// none matches a zero after the name of a counter.
var none = lazyregexp.New(`^["']?\s?[=:]\s?(?:0|\[0\])(?:[\s,;.)"']|$)`)

// countsNone reports whether the signature matched the name of a counter that is zero.
func countsNone(sig *signatures.Signature, m *evidence.Match) bool {
	hit := sig.Hit(m.Ref.Text)
	_, rest, found := strings.Cut(m.Ref.Text, hit)
	return hit != "" && found && none.MatchString(rest)
}
