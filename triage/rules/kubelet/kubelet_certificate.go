package kubelet

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Certificate reads the expiry of the kubelet's client certificate from its metrics. The kubelet renews the certificate after 70 to
// 90 % of its lifetime (client-go util/certificate). A near expiry is therefore normal; a failed renewal is not.
var Certificate = &triage.Rule{
	ID:    "kubelet-certificate",
	Doc:   "Reads the remaining lifetime of the kubelet's client certificate, and failed renewals, from its metrics.",
	Needs: []evidence.Kind{evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			subject := evidence.NodeSubject(k.Node)
			series, left, known := clientCertificate(p, k)
			if !known {
				if n := p.Snapshot.Node(k.Node); n != nil && n.NotReady() {
					p.Unknown("when the client certificate of "+k.Node+" expires", "its kubelet's metrics do not contain the date",
						"on the node: openssl x509 -noout -enddate -in /var/lib/kubelet/pki/kubelet-client-current.pem")
				}
				continue
			}
			failed, _ := facts.Metric(k, "kubelet_certificate_manager_client_expiration_renew_errors")
			refs := []evidence.Ref{facts.MetricRef(k, series)}
			if failed > 0 {
				refs = append(refs, facts.MetricRef(k, "kubelet_certificate_manager_client_expiration_renew_errors"))
			}
			switch {
			case left < 0:
				p.Found(triage.Claim{
					Says: "kubelet-client-cert-expired", Subject: subject, Certainty: triage.Certain, Evidence: refs,
					Summary: fmt.Sprintf("the kubelet's client certificate expired %s ago", wording.Duration(-left)), Since: k.TakenAt.Add(left),
				})
			case failed > 0 && left < 7*24*time.Hour:
				p.Found(triage.Claim{
					Says: "kubelet-client-cert-expired", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Evidence: refs,
					Summary: fmt.Sprintf("the kubelet's client certificate expires in %s; failed renewals: %.0f", wording.Duration(left), failed),
				})
			default:
				p.RuleOut("kubelet-client-cert-expired", subject, fmt.Sprintf("the client certificate is valid for another %s", wording.Duration(left)))
			}
		}
	},
}

// clientCertificate returns the remaining lifetime of the client certificate and its series. A kubelet without one (+Inf) has no
// expiry.
func clientCertificate(p *triage.Pass, k *evidence.Kubelet) (series string, left time.Duration, known bool) {
	const century = 100 * 365 * 24 * 3600 // seconds
	if v, ok := facts.Metric(k, "kubelet_certificate_manager_client_ttl_seconds"); ok && v < century && v > -century {
		return "kubelet_certificate_manager_client_ttl_seconds", time.Duration(v) * time.Second, true
	}
	now := k.TakenAt
	if now.IsZero() {
		now = p.Now
	}
	v, ok := facts.Metric(k, "kubelet_certificate_manager_client_expiration_seconds")
	if !ok || now.IsZero() || v <= 0 || v > 100*century {
		return "", 0, false
	}
	return "kubelet_certificate_manager_client_expiration_seconds", time.Unix(int64(v), 0).Sub(now), true
}
