//go:build unix

package lab_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// A user with only the documented role can read everything. A run for the cluster, and one for a node with volumes and
// webhooks, has no gap except the kubelets.
func TestDocumentedRole(t *testing.T) {
	role := documentedRole(t)
	kubeconfig, err := plane.User(t.Context(), "documented", role.Rules...)
	if err != nil {
		t.Fatal(err)
	}
	addVolume(t, size.Node(1))
	addWebhook(t)
	_, mark := requests(t, 0)
	for _, args := range [][]string{nil, {size.Node(1)}} {
		if r := diagnose(t, kubeconfig, args...); r.code != problem || len(r.readGaps()) > 0 {
			t.Errorf("diagnose %v: %s", args, r)
		}
	}
	var asked []string
	list, _ := requests(t, mark)
	for _, r := range list {
		asked = append(asked, r.ObjectRef.Resource)
	}
	for _, rule := range role.Rules {
		for _, resource := range rule.Resources {
			if resource != "nodes/proxy" && !slices.Contains(asked, resource) {
				t.Errorf("the role allows %s, which nobody asked for", resource)
			}
		}
	}
}

// documentedRole is the read-only role of docs/permissions.md.
func documentedRole(t *testing.T) rbacv1.ClusterRole {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "permissions.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict([]byte(text), &role); err != nil || len(role.Rules) == 0 {
		t.Fatalf("read the role: %d rules, %v", len(role.Rules), err)
	}
	return role
}

// addWebhook registers a webhook for objects that the test does not write; its service does not exist.
func addWebhook(t *testing.T) {
	t.Helper()
	client, err := plane.Client()
	if err != nil {
		t.Fatal(err)
	}
	none := admissionv1.SideEffectClassNone
	hook := &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "lab"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "lab.example.com", SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "team-00", Name: "gone"}},
			Rules: []admissionv1.RuleWithOperations{{Operations: []admissionv1.OperationType{admissionv1.Create}, Rule: admissionv1.Rule{
				APIGroups: []string{"example.com"}, APIVersions: []string{"*"}, Resources: []string{"things"},
			}}},
		}},
	}
	hooks := client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	if _, err := hooks.Create(t.Context(), hook, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hooks.Delete(cleanUp(), hook.Name, metav1.DeleteOptions{}) })
}
