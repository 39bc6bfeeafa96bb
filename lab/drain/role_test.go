//go:build unix

package drain_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// roles reads the roles of the manifest.
func roles(t *testing.T) []rbacv1.PolicyRule {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "drain.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "permissions.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rules []rbacv1.PolicyRule
	for _, doc := range strings.Split(string(text), "\n---\n") {
		if i := strings.Index(doc, "apiVersion:"); i < 0 || !strings.Contains(string(page), strings.TrimSpace(doc[i:])) {
			t.Errorf("docs/permissions.md has other rules than\n%s", doc)
		}
		var role rbacv1.ClusterRole
		if err := yaml.UnmarshalStrict([]byte(doc), &role); err == nil && role.Kind == "ClusterRole" {
			rules = append(rules, role.Rules...)
		}
	}
	if len(rules) == 0 {
		t.Fatal("deploy/drain.yaml has no rules")
	}
	return rules
}

// A user with only the shipped roles can do everything that a drain does. For each permission of the drainer role, a
// message names the permission if it is missing.
func TestDrainerRole(t *testing.T) {
	all := roles(t)
	kubeconfig, err := plane.User(t.Context(), "drainer", all...)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("all", func(t *testing.T) {
		s := newScene(t)
		s.crowd(func() { s.deployment("web", 2, 1); s.deployment("single", 1, 1); s.deployment("held", 1, 1) }, "w1")
		s.budget("web", maxUnavailable(1), "web")
		s.budget("single", minAvailable(1), "single")
		s.budget("held", maxUnavailable(0), "held")
		r := start(t, kubeconfig, "w1", "--surge", "--suspend-pdb", s.namespace+"/held")
		if code := r.wait(t); code != drained || len(s.on("w1")) > 0 {
			t.Fatalf("exit code %d\n%s", code, r)
		}
	})
	for i, lack := range []struct {
		resource, verb string
		args           []string
		says           string
	}{
		{"nodes", "patch", nil, `patch nodes w1: forbidden`},
		{"pods/eviction", "create", nil, `the role of a drain needs create on pods/eviction`},
		{"poddisruptionbudgets", "patch", []string{"--suspend-pdb", "held"}, `patch poddisruptionbudgets`},
		{"deployments", "patch", []string{"--surge"}, `patch deployments`},
		{"poddisruptionbudgets", "list", nil, `which PodDisruptionBudgets select the pods`},
		{"pods", "list", nil, `which pods are running on the nodes`},
	} {
		t.Run(lack.verb+" "+strings.ReplaceAll(lack.resource, "/", " "), func(t *testing.T) {
			var less []rbacv1.PolicyRule
			for _, rule := range all {
				if slices.Contains(rule.Resources, lack.resource) && slices.Contains(rule.Verbs, lack.verb) {
					rest := rule.DeepCopy()
					rest.Resources = slices.DeleteFunc(rest.Resources, func(x string) bool { return x == lack.resource })
					if len(rest.Resources) > 0 {
						less = append(less, *rest)
					}
					rest = rule.DeepCopy()
					rest.Resources = []string{lack.resource}
					if rest.Verbs = slices.DeleteFunc(rest.Verbs, func(x string) bool { return x == lack.verb }); len(rest.Verbs) == 0 {
						continue
					}
					rule = *rest
				}
				less = append(less, rule)
			}
			kubeconfig, err := plane.User(t.Context(), "lacking-"+string(rune('a'+i)), less...)
			if err != nil {
				t.Fatal(err)
			}
			s := newScene(t)
			s.crowd(func() { s.deployment("single", 1, 1) }, "w1")
			s.budget("held", minAvailable(1), "single")
			args := append([]string{"w1", "--timeout", "4s"}, lack.args...)
			if !slices.Contains(args, "--suspend-pdb") {
				s.check(s.drop("held"))
			}
			r := start(t, kubeconfig, args...)
			if code := r.wait(t); code == drained || !strings.Contains(r.String(), lack.says) {
				t.Errorf("exit code %d; it does not say %q:\n%s", code, lack.says, r)
			}
			if len(s.on("w1")) != 1 {
				t.Error("the pod went all the same")
			}
		})
	}
}
