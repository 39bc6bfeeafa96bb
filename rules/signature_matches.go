package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// signatureMatches turns every matched message into a claim of what its signature says, if the signature's
// conditions hold, the object it is about is not well again, and has existed for long enough to be in trouble.
var signatureMatches = &triage.Rule{
	ID:  "signature-matches",
	Doc: "Reads the messages that signatures recognise in logs, events, conditions and statuses; what is over does not count.",
	Check: func(p *triage.Pass) {
		past := map[string]int{}
		var order []string
		for _, sig := range p.Signatures.All() {
			matches := p.Snapshot.MatchesOf(sig.ID)
			if len(matches) == 0 {
				continue
			}
			strength := cloudStrength(p, sig)
			for _, m := range matches {
				if !counts(p, sig, m) || early(p, m, sig.Says) || answered(p, sig) ||
					calledKubelet[sig.ID] && reportingAt(p, m.Ref.Text) != nil ||
					sig.Says == "apiserver-stale-connection" && newFail(p, nodeOf(p.Snapshot, m.Subject)) {
					continue
				}
				if over(p, m) {
					if p.Catalog.Cause(sig.Says) != nil && past[sig.Says] == 0 {
						order = append(order, sig.Says)
					}
					past[sig.Says]++
					continue
				}
				ref := m.Ref
				ref.Hit = sig.Hit(ref.Text)
				if m.Count > 1 {
					ref.Locator = strings.TrimSpace(fmt.Sprintf("%s (%d times)", ref.Locator, m.Count))
				}
				p.Found(triage.Claim{
					Says: sig.Says, Subject: m.Subject, Confidence: strength,
					Summary: fillSummary(sig.Summary, m.Captures), Evidence: []evidence.Ref{ref},
					Fill: m.Captures, Since: m.First, Key: sig.ID,
				})
			}
		}
		for _, cause := range order {
			p.RuleOut(cause, evidence.ClusterSubject(), fmt.Sprintf("%s of objects that are well since or gone", count(past[cause], "message")))
		}
	},
}

// calledKubelet are messages of who called a kubelet and got no connection. They tell of a node that is gone; where the node
// reports, kubeletPortUnreachable judges them.
var calledKubelet = map[string]bool{"kubelet-port-refused": true, "kubelet-port-no-route": true, "kubelet-port-timeout": true, "usual-10250-timeout": true}

// answered tells whether the evidence has what a command was asked for: its rule judges the answer then, and that somebody
// asked says nothing.
func answered(p *triage.Pass, sig *signatures.Signature) bool {
	if !strings.HasPrefix(sig.ID, "usual-asked-") {
		return false
	}
	return slices.ContainsFunc(p.Snapshot.Data().NodeReports, func(r *nodereport.Report) bool {
		switch sig.Says {
		case "kubelet-client-cert-expired":
			return slices.ContainsFunc(r.Certificates, func(c nodereport.Certificate) bool { return saidByCertificate(c) == sig.Says && !c.NotAfter.IsZero() })
		case "pid-exhaustion":
			return r.Tasks != nil && r.Tasks.Current > 0 && r.Tasks.Max > 0
		}
		return false
	})
}
