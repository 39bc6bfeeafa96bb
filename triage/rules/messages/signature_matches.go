package messages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// SignatureMatches turns every matched message into a claim of its signature, if the signature's conditions hold. Resolved messages
// become history.
var SignatureMatches = &triage.Rule{
	ID:    "signature-matches",
	Doc:   "Reads messages in logs, events, conditions and statuses that match message patterns. Resolved problems do not count.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Messages},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events, evidence.Kubelets, evidence.NodeReports, evidence.CloudState, evidence.CloudLog},
	Check: func(p *triage.Pass) {
		for _, sig := range p.Signatures.All() {
			matches := p.Snapshot.MatchesOf(sig.ID)
			if len(matches) == 0 || sig.Says == "" {
				continue
			}
			strength := facts.CertaintyOf(p, sig)
			for _, m := range matches {
				if because := reasonDropped(p, sig, m); because != "" {
					p.Message(m, sig.Says, triage.Dropped, because, "")
					continue
				}
				claim := claimOf(p, sig, m, strength)
				if end, ended := p.EndOf(m); ended {
					p.Message(m, sig.Says, triage.Past, end.By+" ("+end.Ending+")", "")
					p.Over(claim, end.By, end.At)
					continue
				}
				p.Message(m, sig.Says, triage.Claimed, doubtsOf(p, m), claim.Certainty)
				p.Found(claim)
			}
		}
		innermost(p)
	},
}

// claimOf returns the claim of a matched message. Its certainty is limited by speaker and provider, and it is only a warning while
// the problem is too young to last.
func claimOf(p *triage.Pass, sig *signatures.Signature, m *evidence.Match, strength triage.Certainty) triage.Claim {
	ref := m.Ref
	ref.Hit = sig.Hit(ref.Text)
	if m.Count > 2 || m.Count == 2 && again(m) {
		ref.Locator = strings.TrimSpace(fmt.Sprintf("%s (%d times)", ref.Locator, m.Count))
	}
	c := triage.Claim{
		Says: sig.Says, Subject: m.Subject, Certainty: least(strength, triage.Certainty(sig.Heard(m.Speaker)), facts.OfProvider(p, sig, m)),
		Summary: facts.FillSummary(sig.Summary, m.Captures), Evidence: append([]evidence.Ref{ref}, lastOf(sig, m)...),
		Fill: m.Fill(), Since: m.First, LastSeen: m.Last, Key: sig.ID,
		Fatal: m.Line > 0 && logline.GravityOf(m.Ref.Text) == logline.Fatal,
	}
	subject, guess := whose(p, sig.Says, m)
	c.Subject = subject
	for _, doubt := range p.DoubtsOf(m) {
		c.Doubts++
		c.Certainty = least(c.Certainty, doubt.AtMost)
	}
	if guess { // of the owner
		c.Certainty = least(c.Certainty, triage.Possible)
	}
	if p.Catalog.Role(sig.Says) == catalog.Transient {
		c.Since = facts.LastFailed(p, m)
	}
	if cause := p.Catalog.Cause(sig.Says); cause != nil && cause.Severity.Rank() < catalog.Warning.Rank() && facts.Early(p, m) {
		c.Severity = catalog.Warning
	}
	return c
}

// doubtsOf returns the doubts that hold for a message as text, if a trace is requested.
func doubtsOf(p *triage.Pass, m *evidence.Match) string {
	if !p.Traces() {
		return ""
	}
	var out []string
	for _, d := range p.DoubtsOf(m) {
		out = append(out, "doubted by "+d.ID+": "+d.Doc)
	}
	return strings.Join(out, " ")
}

// lastOf returns the last text of several if it differs from the first.
func lastOf(sig *signatures.Signature, m *evidence.Match) []evidence.Ref {
	if m.Count < 2 || m.LastLine == m.Line || again(m) {
		return nil
	}
	return []evidence.Ref{{
		Source: m.Ref.Source, Locator: fmt.Sprintf("line %d", m.LastLine), Text: m.LastText, ObservedAt: m.Last, Hit: sig.Hit(m.LastText), Signature: sig.ID,
	}}
}

// again reports whether the last text of several repeats the first.
func again(m *evidence.Match) bool {
	return m.LastText == "" || logline.Template(logline.Body(m.LastText)) == logline.Template(logline.Body(m.Ref.Text))
}

// least returns the lowest of several certainties.
func least(list ...triage.Certainty) triage.Certainty {
	return slices.MinFunc(list, func(a, b triage.Certainty) int { return cmp.Compare(a.Weight(), b.Weight()) })
}
