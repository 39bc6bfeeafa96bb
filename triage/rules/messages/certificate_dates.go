package messages

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// dates matches the two times in the error of Go's certificate check (crypto/x509 verify.go CertificateInvalidError).
var dates = lazyregexp.New(`current time (\d{4}-\d\d-\d\dT[0-9:.+Z-]{5,20}) is (after|before) (\d{4}-\d\d-\d\dT[0-9:.+Z-]{5,20})`)

const (
	// jumped is how far the time in a message may be from the time of the evidence around it.
	jumped = 10 * time.Minute
	// lifetime is longer than that of almost all certificates in a cluster: a clock that far off is not an expiry.
	lifetime = 20 * 365 * 24 * time.Hour
)

// CertificateDates compares the time in a certificate error with the date of the certificate. A certificate that is not valid yet
// was issued by a different clock. An expired one is expired, unless the clock that reports it is known to be wrong.
var CertificateDates = &triage.Rule{
	ID:    "certificate-dates",
	Doc:   "Distinguishes a wrong clock from an expired certificate by the two dates in the error.",
	Needs: []evidence.Kind{evidence.Messages},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, m := range facts.LinesSaying(p, "tls-failure", "clock-skew", "kubelet-client-cert-expired", "control-plane-degraded") {
			if g := dates.FindStringSubmatch(m.Ref.Text); g != nil {
				judgeDates(p, m, g)
			}
		}
	},
}

func judgeDates(p *triage.Pass, m *evidence.Match, g []string) {
	now, err := time.Parse(time.RFC3339, g[1])
	limit, err2 := time.Parse(time.RFC3339, g[3])
	if err != nil || err2 != nil {
		return
	}
	c := triage.Claim{Says: "clock-skew", Subject: m.Subject, Certainty: triage.Likely, Evidence: []evidence.Ref{m.Ref}, Key: "dates"}
	taken := p.Snapshot.TakenAt()
	off := now.Sub(taken)
	live := p.Snapshot.Covers(evidence.Nodes) != evidence.NotRead && !taken.IsZero() // a second clock, near that of the API server
	switch {
	case g[2] == "before":
		c.Summary = fmt.Sprintf("this clock is %[2]s behind the start of a certificate's validity (%[1]s)", limit.UTC().Format("2006-01-02 15:04 MST"), wording.Duration(limit.Sub(now)))
	case now.Sub(limit) > lifetime:
		c.Certainty = triage.Possible
		c.Summary = fmt.Sprintf("the certificate expired %s ago according to this clock: more likely the clock is wrong", wording.Duration(now.Sub(limit)))
	case live && off > jumped && taken.Before(limit):
		c.Summary = fmt.Sprintf("this clock is %s ahead of the API server's, for which the certificate is still valid", wording.Duration(off))
	case live && off.Abs() < jumped:
		p.RuleOut("clock-skew", m.Subject, fmt.Sprintf("the certificate expired %s before the error, and the clock agrees with the API server's", wording.Duration(now.Sub(limit))))
		return
	default:
		p.Unknown("whether the clock of a certificate error is correct", fmt.Sprintf("it shows %s, %s after the certificate's expiry, and there is no other clock to compare", now.UTC().Format("2006-01-02 15:04 MST"), wording.Duration(now.Sub(limit))), "date -u on the node")
		return
	}
	if sig := p.Signatures.Lookup(m.Signature); sig != nil {
		c.Certainty = least(c.Certainty, triage.Certainty(sig.Heard(m.Speaker)))
	}
	p.Found(c)
}
