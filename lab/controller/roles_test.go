//go:build unix

package controller_test

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// requests counts the requests of the controller in the audit log, by verb and resource. A request that was refused is an error.
func (w *world) requests(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(w.plane.AuditLog)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var r struct {
			Verb           string
			User           struct{ Username string }
			ObjectRef      struct{ APIGroup, Resource, Subresource string }
			ResponseStatus struct{ Code int }
		}
		if json.Unmarshal([]byte(line), &r) != nil || r.User.Username != "controller" || r.ObjectRef.Resource == "" {
			continue
		}
		what := permission(r.Verb, strings.TrimSuffix(r.ObjectRef.Resource+"/"+r.ObjectRef.Subresource, "/"), r.ObjectRef.APIGroup)
		if r.ResponseStatus.Code == http.StatusForbidden && out[what] == 0 {
			t.Errorf("%s: forbidden", what)
		}
		out[what]++
	}
	return out
}

func permission(verb, resource, group string) string { return verb + " " + resource + "." + group }

// The roles of the chart are exact: in a run that reaches everything that the controller does, each request is one that a role allows, and
// each permission is used. Without one of them, this test fails.
func TestRolesAreExact(t *testing.T) {
	w := newWorld(t, "--feature-gates=WatchList=false") // older servers do not stream lists
	w.addWebhook(t)
	w.addOld(t, size.Node(9))
	address := freeAddress(t)
	r := run(t, w.user(t), "--metrics-address", address)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(r.log)
		}
	})
	w.until(t, time.Minute, "a leader", func() bool { return w.leader(t).HolderIdentity != nil })
	node := size.Node(0)
	w.sick(t, node, true)
	w.until(t, time.Minute, "published", func() bool { return w.of(t, node).Primary.Cause != "" })
	w.until(t, time.Minute, "an old object is removed", func() bool { return w.of(t, size.Node(9)).Verdict == "" })
	if code := w.scrape(t, address); code != http.StatusOK {
		t.Errorf("the metrics answered %d", code)
	}
	wanted := allowed(t)
	for end := time.Now().Add(2 * time.Minute); len(missing(wanted, w.requests(t))) > 0 && time.Now().Before(end); {
		time.Sleep(time.Second)
	}
	for _, what := range missing(wanted, w.requests(t)) {
		t.Errorf("%s: nothing uses this permission", what)
	}
	for what := range w.requests(t) {
		if !slices.Contains(wanted, what) {
			t.Errorf("%s: no role has this permission", what)
		}
	}
}

// allowed returns the permissions of all rules.
func allowed(t *testing.T) (out []string) {
	t.Helper()
	cluster, lease := roles(t)
	for _, rule := range append(cluster, lease...) {
		for _, resource := range rule.Resources {
			for _, verb := range rule.Verbs {
				out = append(out, permission(verb, resource, rule.APIGroups[0]))
			}
		}
	}
	return out
}

// missing returns the permissions that no request used.
func missing(wanted []string, used map[string]int) (out []string) {
	for _, what := range wanted {
		if used[what] == 0 {
			out = append(out, what)
		}
	}
	return out
}

// addWebhook registers a webhook of a service, for objects that do not exist.
func (w *world) addWebhook(t *testing.T) {
	t.Helper()
	hook := &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "lab"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "lab.example.com", SideEffects: new(admissionv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "team-00", Name: "gone"}},
			Rules: []admissionv1.RuleWithOperations{{Operations: []admissionv1.OperationType{admissionv1.Create}, Rule: admissionv1.Rule{
				APIGroups: []string{"example.com"}, APIVersions: []string{"*"}, Resources: []string{"things"},
			}}},
		}},
	}
	if _, err := w.client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(t.Context(), hook, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// addOld publishes that a node has been clear for more than a day.
func (w *world) addOld(t *testing.T, node string) {
	t.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "triage.nodetriage.dev/v1alpha1", "kind": "NodeDiagnosis"}}
	o.SetName(node)
	o, err := w.dynamic.Resource(diagnoses).Create(t.Context(), o, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-25 * time.Hour).UTC().Format(time.RFC3339)
	o.Object["status"] = map[string]any{"verdict": "clear", "observedAt": at, "changedAt": at}
	if _, err := w.dynamic.Resource(diagnoses).UpdateStatus(t.Context(), o, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// freeAddress returns an address that no program listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// prometheus creates a service account that may read metrics, and returns its token.
func (w *world) prometheus(t *testing.T) (token string) {
	t.Helper()
	meta := metav1.ObjectMeta{Name: "prometheus", Namespace: metav1.NamespaceSystem}
	if _, err := w.client.CoreV1().ServiceAccounts(meta.Namespace).Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: meta.Name}, Rules: []rbacv1.PolicyRule{{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}}}
	if _, err := w.client.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: meta.Name}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: meta.Name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: meta.Name, Namespace: meta.Namespace}},
	}
	if _, err := w.client.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	answer, err := w.client.CoreV1().ServiceAccounts(meta.Namespace).CreateToken(t.Context(), meta.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status.Token
}

// scrape reads the metrics as Prometheus, and returns the status of the answer.
func (w *world) scrape(t *testing.T, address string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("https://%s/metrics", address), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.prometheus(t))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // it makes its certificate
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}
