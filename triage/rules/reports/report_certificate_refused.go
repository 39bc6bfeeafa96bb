package reports

import (
	"cmp"
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// unidentified reports whether the text shows the dates of a certificate, but not which one it is.
func unidentified(c nodereport.Certificate) bool {
	return c.Path == "" && c.Subject == "" && c.Use == ""
}

// judgeUnidentified assumes that such a certificate is the kubelet's if the API server refuses the kubelet soon after its expiry.
func judgeUnidentified(p *triage.Pass, subject evidence.Subject, r *nodereport.Report, c nodereport.Certificate) {
	if m, when := facts.RefusedAfter(p, subject, c); m != nil {
		p.Found(refusedClaim(subject, r, c, "kubelet-client-cert-expired", m, when))
	}
}

// refusedClaim claims that a certificate expired before the API server refused the kubelet. It names the assumed year if the
// refusal has none.
func refusedClaim(subject evidence.Subject, r *nodereport.Report, c nodereport.Certificate, says string, m *evidence.Match, when time.Time) triage.Claim {
	name := cmp.Or(c.Path, c.Subject, "the certificate")
	day := when.Format("Jan 2 2006")
	if m.Last.IsZero() {
		day += fmt.Sprintf(" (the line has no year; assumed: %d)", when.Year())
	}
	if subject.Name == "" {
		subject = m.Subject
	}
	return triage.Claim{
		Says: says, Subject: subject, Key: name, Certainty: triage.Likely, Fill: map[string]string{"path": c.Path},
		Summary: fmt.Sprintf("%s expired on %s, and the API server rejected the kubelet on %s", name, c.NotAfter.Format("2006-01-02 15:04 MST"), day),
		Evidence: []evidence.Ref{
			facts.ReportRef(r, c.Ref, name, "notBefore=%s notAfter=%s", c.NotBefore.Format(time.RFC3339), c.NotAfter.Format(time.RFC3339)), m.Ref,
		},
	}
}
