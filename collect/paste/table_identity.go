package paste

import (
	"strconv"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// csrRow reads "kubectl get csr"; REQUESTOR is the requesting user.
func csrRow(t *table, c cells, l line) bool {
	var conditions []certificatesv1.CertificateSigningRequestCondition
	issued := false
	for _, s := range strings.Split(c["CONDITION"], ",") {
		typ := certificatesv1.RequestConditionType(s)
		switch typ {
		case "Pending":
			continue
		case "Issued":
			issued = true
			continue
		case certificatesv1.CertificateApproved, certificatesv1.CertificateDenied, certificatesv1.CertificateFailed:
		default:
			return false
		}
		conditions = append(conditions, certificatesv1.CertificateSigningRequestCondition{Type: typ, Status: corev1.ConditionTrue})
	}
	if !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	if !t.p.text.room("certificatesigningrequests", l) {
		return true
	}
	csr := &certificatesv1.CertificateSigningRequest{}
	csr.Name, csr.Spec.Username, csr.Spec.SignerName = c["NAME"], c["REQUESTOR"], c.get("SIGNERNAME")
	csr.Status.Conditions = conditions
	if issued {
		csr.Status.Certificate = []byte("issued") // the table shows only that it exists
	}
	t.p.text.setAge(&csr.CreationTimestamp.Time, c["AGE"])
	t.p.text.csrs = append(t.p.text.csrs, csr)
	return true
}

// leaseRow reads "kubectl get leases". The table has no renewTime, which is the heartbeat.
func leaseRow(t *table, c cells, l line) bool {
	if !isName(c["NAME"]) || !isName(c["HOLDER"]) || !isAge(c["AGE"]) {
		return false
	}
	namespace := c["NAMESPACE"]
	switch {
	case namespace != "":
	case t.ask.namespace != "":
		namespace = t.ask.namespace
	case c["HOLDER"] == c["NAME"]: // only kubelets hold a Lease with their name
		namespace = corev1.NamespaceNodeLease
	default:
		return true
	}
	if t.p.text.room("leases", l) {
		t.p.text.leases = append(t.p.text.leases, &evidence.Lease{Namespace: namespace, Name: c["NAME"], Holder: c["HOLDER"]})
	}
	return true
}

// webhookRow reads "kubectl get validatingwebhookconfigurations": the names and the number of webhooks, but no details. One entry
// represents each configuration.
func webhookRow(t *table, c cells, l line) bool {
	if _, err := strconv.Atoi(c["WEBHOOKS"]); err != nil || !isName(c["NAME"]) || !isAge(c["AGE"]) {
		return false
	}
	validating := strings.HasPrefix(c["NAME"], "validating") && strings.Contains(c["NAME"], "/")
	if !strings.Contains(c["NAME"], "/") {
		switch t.ask.kind() {
		case "ValidatingWebhookConfiguration":
			validating = true
		case "MutatingWebhookConfiguration":
		default:
			return true // the kind of the configuration is unknown
		}
	}
	if t.p.text.room("webhookconfigurations", l) {
		t.p.text.webhooks = append(t.p.text.webhooks, &evidence.Webhook{
			Configuration: trimKind(c["NAME"]), Validating: validating, Endpoints: -1,
		})
	}
	return true
}
