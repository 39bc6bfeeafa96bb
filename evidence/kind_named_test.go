package evidence_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

// A kind has its kubectl names, and no other word names one.
func TestKindNamed(t *testing.T) {
	for word, want := range map[string]string{
		"ds": "DaemonSet", "daemonset": "DaemonSet", "DaemonSets": "DaemonSet", "daemonsets.apps": "DaemonSet",
		"po": "Pod", "pdb": "PodDisruptionBudget", "csr": "CertificateSigningRequest", "csinodes": "CSINode",
		"validatingwebhookconfigurations": "ValidatingWebhookConfiguration", "svc": "Service", "machines": "Machine",
		"": "", "pdbs-of-a-tool": "", "deployment/web": "",
	} {
		if got := evidence.KindNamed(word); got != want {
			t.Errorf("KindNamed(%q) = %q, want %q", word, got, want)
		}
	}
}
