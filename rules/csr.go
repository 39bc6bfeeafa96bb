package rules

import (
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// csr finds certificate requests of kubelets that nobody approved.
var csr = &triage.Rule{
	ID:    "csr",
	Doc:   "Finds pending requests for kubelet client and serving certificates.",
	Needs: []evidence.Kind{evidence.CSRs},
	Check: func(p *triage.Pass) {
		pending := 0
		for _, r := range p.Snapshot.Data().CSRs {
			if r.Spec.SignerName != certificatesv1.KubeAPIServerClientKubeletSignerName && r.Spec.SignerName != certificatesv1.KubeletServingSignerName {
				continue
			}
			if len(r.Status.Conditions) > 0 {
				continue // approved, denied or failed
			}
			age, known := p.Age(r.CreationTimestamp.UTC())
			if known && age < time.Minute {
				continue // approvers need a moment
			}
			pending++
			subject := evidence.ClusterSubject()
			if name, ok := strings.CutPrefix(r.Spec.Username, "system:node:"); ok {
				subject = evidence.NodeSubject(name)
			}
			confidence := triage.Likely
			if r.Spec.SignerName == certificatesv1.KubeletServingSignerName {
				confidence = triage.Possible // the node works without; logs, exec and metrics do not
			}
			p.Found(triage.Claim{
				Says: "csr-not-approved", Subject: subject, Confidence: confidence, Key: r.Name, Since: r.CreationTimestamp.UTC(),
				Summary: "certificate request " + r.Name + " for " + r.Spec.SignerName + " waits for approval",
				Fill:    map[string]string{"csr": r.Name, "name": r.Name},
				Evidence: []evidence.Ref{{
					Source: "certificatesigningrequest/" + r.Name, Locator: ".status.conditions", ObservedAt: r.CreationTimestamp.UTC(),
					Text: "pending; requested by " + r.Spec.Username + " " + ago(p.Now, r.CreationTimestamp.UTC()),
				}},
			})
		}
		if pending == 0 {
			p.RuleOut("csr-not-approved", evidence.ClusterSubject(), "no kubelet certificate request is pending")
		}
	},
}
