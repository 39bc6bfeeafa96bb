package system

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// CSR finds certificate signing requests of kubelets that were denied or are not approved. A kubelet retries every few minutes, so
// a kubelet that waits long has several.
var CSR = &triage.Rule{
	ID:    "csr",
	Doc:   "Finds pending and denied CSRs for kubelet client and serving certificates.",
	Needs: []evidence.Kind{evidence.CSRs},
	Check: func(p *triage.Pass) {
		requests := map[[2]string][]*certificatesv1.CertificateSigningRequest{} // by signer and requester
		settled, undated := 0, 0
		for _, r := range p.Snapshot.CSRs() {
			signer := r.Spec.SignerName
			if signer != certificatesv1.KubeAPIServerClientKubeletSignerName && signer != certificatesv1.KubeletServingSignerName {
				continue
			}
			age, known := p.Age(r.CreationTimestamp.UTC())
			state := csrState(r)
			switch {
			case state == "approved":
				settled++
			case state == "pending" && !known:
				undated++
			case state == "pending" && age < time.Minute: // approvers need time
			default:
				key := [2]string{signer, r.Spec.Username}
				requests[key] = append(requests[key], r)
			}
		}
		keys := slices.SortedFunc(maps.Keys(requests), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
		for _, key := range keys {
			claimRequests(p, key[0], key[1], requests[key])
		}
		switch {
		case len(requests) > 0:
		case undated > 0:
			p.Unknown("whether kubelet CSRs are pending too long", "their age is unknown", "kubectl get csr")
		default:
			p.RuleOut("csr-not-approved", evidence.ClusterSubject(), fmt.Sprintf("no pending kubelet CSR; %d approved", settled))
		}
	},
}

func claimRequests(p *triage.Pass, signer, user string, list []*certificatesv1.CertificateSigningRequest) {
	first := list[0]
	for _, r := range list {
		if r.CreationTimestamp.Before(&first.CreationTimestamp) {
			first = r
		}
	}
	c := triage.Claim{
		Says: "csr-not-approved", Subject: evidence.ClusterSubject(), Certainty: triage.Likely, Key: signer + " " + user,
		Since: first.CreationTimestamp.UTC(), Fill: map[string]string{"csr": first.Name, "name": first.Name},
		Evidence: []evidence.Ref{{
			Source: "certificatesigningrequest/" + first.Name, Locator: ".status.conditions", ObservedAt: first.CreationTimestamp.UTC(),
			Text: csrState(first) + "; requested by " + user + " " + wording.Ago(p.Now, first.CreationTimestamp.UTC()),
		}},
		Summary: fmt.Sprintf("%s of %s for %s: %s", wording.Count(len(list), "CSR"), user, signer, csrState(first)),
	}
	if name, ok := strings.CutPrefix(user, "system:node:"); ok {
		c.Subject = evidence.NodeSubject(name)
	}
	if signer == certificatesv1.KubeletServingSignerName {
		c.Certainty = triage.Possible // the node works without it; logs, exec and metrics do not
	}
	p.Found(c)
}

func csrState(r *certificatesv1.CertificateSigningRequest) string {
	state := "pending"
	for _, c := range r.Status.Conditions {
		switch c.Type {
		case certificatesv1.CertificateApproved:
			state = "approved"
		case certificatesv1.CertificateDenied:
			return "denied"
		case certificatesv1.CertificateFailed:
			return "failed"
		}
	}
	return state
}
