package reports

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Certificates checks the certificate dates in a node report: the kubelet's client certificate, and those of the control plane.
var Certificates = &triage.Rule{
	ID:    "report-certificates",
	Doc:   "Compares the dates of the kubelet's and the control plane's certificates with the time of the evidence.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Reads: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			for _, c := range r.Certificates {
				expired := facts.SaidByCertificate(c)
				if unidentified(c) {
					judgeUnidentified(p, subject, r, c)
				}
				if expired == "" || c.NotAfter.IsZero() && c.NotBefore.IsZero() {
					continue
				}
				now := rightTime(p, r)
				if now.IsZero() || r.TakenAt.IsZero() && now.Before(c.NotBefore) { // a text is not older than its content
					if m, when := facts.RefusedAfter(p, subject, c); m != nil {
						p.Found(refusedClaim(subject, r, c, expired, m, when))
						continue
					}
					p.Unknown("whether certificate "+c.Path+" is valid", "the time of the evidence is unknown", "run again with --at TIME")
					continue
				}
				judgeCertificate(p, subject, r, c, expired, now)
			}
		})
	},
	// The output of the command is in the evidence; the command line itself proves nothing.
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool {
		says := p.Signatures.Lookup(m.Signature).Says
		return slices.ContainsFunc(p.Snapshot.NodeReports(), func(r *nodereport.Report) bool {
			return slices.ContainsFunc(r.Certificates, func(c nodereport.Certificate) bool {
				return facts.SaidByCertificate(c) == says && !c.NotAfter.IsZero()
			})
		})
	},
}

// rightTime returns the time of a report, corrected by the clock offset that it contains.
func rightTime(p *triage.Pass, r *nodereport.Report) time.Time {
	now := facts.TimeOf(p, r)
	if r.TakenAt.IsZero() || r.Clock == nil || r.Clock.Offset.Abs() < facts.WrongClock {
		return now
	}
	return now.Add(-r.Clock.Offset)
}

func judgeCertificate(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, c nodereport.Certificate, expired string, now time.Time) {
	name := c.Path
	if name == "" {
		name = c.Subject
	}
	claim := triage.Claim{
		Subject: subject, Key: name, Fill: map[string]string{"path": c.Path},
		Evidence: []evidence.Ref{facts.ReportRef(r, c.Ref, name, "notBefore=%s notAfter=%s", c.NotBefore.Format(time.RFC3339), c.NotAfter.Format(time.RFC3339))},
	}
	left := c.NotAfter.Sub(now)
	switch {
	case !c.NotAfter.IsZero() && left < 0:
		claim.Says, claim.Certainty, claim.Since = expired, triage.Certain, c.NotAfter
		claim.Summary = fmt.Sprintf("certificate %s expired on %s", name, c.NotAfter.Format("2006-01-02 15:04 MST"))
	case !c.NotBefore.IsZero() && now.Before(c.NotBefore):
		claim.Says, claim.Certainty = "clock-skew", triage.Likely
		claim.Summary = fmt.Sprintf("certificate %s is not valid yet, only in %s", name, wording.Duration(c.NotBefore.Sub(now)))
	case !c.NotAfter.IsZero() && left < soon(c):
		claim.Says, claim.Certainty, claim.Severity = expired, triage.Possible, catalog.Warning
		claim.Summary = fmt.Sprintf("certificate %s expires in %s", name, wording.Duration(left))
	default:
		p.RuleOut(expired, subject, name+" is valid until "+c.NotAfter.Format("2006-01-02"))
		return
	}
	p.Found(claim)
}

// soon is the remaining lifetime below which to warn: renewal is due at a tenth of the lifetime at the latest, and a week is always
// enough notice.
func soon(c nodereport.Certificate) time.Duration {
	if c.NotBefore.IsZero() {
		return 24 * time.Hour
	}
	return min(c.NotAfter.Sub(c.NotBefore)/12, 7*24*time.Hour)
}
