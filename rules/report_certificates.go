package rules

import (
	"fmt"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// reportCertificates judges certificate dates that a node shows.
var reportCertificates = &triage.Rule{
	ID:  "report-certificates",
	Doc: "Reads the dates of the kubelet's client certificate against the time of the evidence.",
	Check: func(p *triage.Pass) {
		eachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			now := p.Now
			if !r.TakenAt.IsZero() {
				now = r.TakenAt
			}
			for _, c := range r.Certificates {
				if c.Use != "kubelet-client" && !strings.Contains(c.Path, "kubelet-client") && !strings.Contains(c.Subject, "system:node:") {
					continue
				}
				if now.IsZero() {
					p.Unknown("whether certificate "+c.Path+" is valid", "the evidence tells no time", "run again with --at TIME")
					continue
				}
				ref := reportRef(r, c.Ref, c.Path, "notBefore=%s notAfter=%s", c.NotBefore.Format(time.RFC3339), c.NotAfter.Format(time.RFC3339))
				claim := triage.Claim{Subject: subject, Evidence: []evidence.Ref{ref}, Key: c.Path, Fill: map[string]string{"path": c.Path}}
				switch {
				case !c.NotAfter.IsZero() && now.After(c.NotAfter):
					claim.Says, claim.Confidence, claim.Since = "kubelet-client-cert-expired", triage.Certain, c.NotAfter
					claim.Summary = fmt.Sprintf("the kubelet's client certificate expired on %s", c.NotAfter.Format("2006-01-02 15:04 MST"))
				case !c.NotBefore.IsZero() && now.Before(c.NotBefore):
					claim.Says, claim.Confidence = "clock-skew", triage.Likely
					claim.Summary = "the kubelet's client certificate is not valid yet by the clock of the evidence"
				case !c.NotAfter.IsZero() && c.NotAfter.Sub(now) < 7*24*time.Hour:
					claim.Says, claim.Confidence, claim.Severity = "kubelet-client-cert-expired", triage.Possible, catalog.Warning
					claim.Summary = fmt.Sprintf("the kubelet's client certificate expires in %s", short(c.NotAfter.Sub(now)))
				default:
					p.RuleOut("kubelet-client-cert-expired", subject, "valid until "+c.NotAfter.Format("2006-01-02"))
					continue
				}
				p.Found(claim)
			}
		})
	},
}
