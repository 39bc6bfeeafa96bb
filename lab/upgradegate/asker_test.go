//go:build unix

package upgradegate

import (
	"context"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// speaks is a signal that a provider of the tests writes as soon as it is asked about a scope.
type speaks struct {
	label, scope, status string
	stranger             bool // the owner of the signal is another request
}

// speak answers requests of an upgrade until the test ends.
func speak(t *testing.T, upgrade string, all []speaks) {
	t.Helper()
	w, err := client.Resource(Requests).Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	go func() {
		for e := range w.ResultChan() {
			r, ok := e.Object.(*unstructured.Unstructured)
			if !ok || e.Type != "ADDED" || len(r.GetOwnerReferences()) == 0 || r.GetOwnerReferences()[0].Name != upgrade {
				continue
			}
			scope, _, _ := unstructured.NestedString(r.Object, "spec", "scope")
			for i, s := range all {
				if s.scope == scope {
					write(t, fmt.Sprintf("%s-%d", r.GetName(), i), r, s)
				}
			}
		}
	}()
}

func write(t *testing.T, name string, r *unstructured.Unstructured, s speaks) {
	ctx := context.WithoutCancel(t.Context())
	uid := r.GetUID()
	if s.stranger {
		uid = types.UID("00000000-0000-0000-0000-000000000000")
	}
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "health.aks.io/v1alpha1", "kind": "HealthSignal", "spec": map[string]any{"type": s.scope + "Health"}}}
	o.SetName(name)
	if s.label != "" {
		o.SetLabels(map[string]string{providerLabel: s.label})
	}
	o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "health.aks.io/v1alpha1", Kind: "HealthCheckRequest", Name: r.GetName(), UID: uid}})
	o, err := client.Resource(Signals).Create(ctx, o, metav1.CreateOptions{})
	if err == nil {
		o.Object["status"] = map[string]any{"conditions": []any{map[string]any{
			"type": "Ready", "status": s.status, "reason": "Said", "message": "", "lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
		}}}
		_, err = client.Resource(Signals).UpdateStatus(ctx, o, metav1.UpdateOptions{})
	}
	if err != nil && t.Context().Err() == nil && !apierrors.IsNotFound(err) {
		t.Errorf("write signal %s: %v", name, err)
	}
}

// The asking side follows the published rules.
func TestAsker(t *testing.T) {
	asker, err := NewAsker(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	const one, two = "one.example.com", "two.example.com"
	for _, c := range []struct {
		name     string
		policies map[string][]string // rules by provider
		says     []speaks
		force    bool
		aborted  bool
		provider string
		reason   string
		within   time.Duration
	}{
		{name: "healthy", policies: map[string][]string{one: {"cluster 5s"}}, says: []speaks{{label: one, scope: "Node", status: "True"}}},
		{name: "unhealthy", policies: map[string][]string{one: {"cluster 1m"}}, says: []speaks{{label: one, scope: "Node", status: "False"}}, aborted: true, provider: one, reason: "Said", within: 3 * time.Second},
		{name: "no answer", policies: map[string][]string{one: {"cluster 2s"}}, aborted: true, provider: one, reason: "HealthCheckTimeout"},
		{name: "unknown to the end", policies: map[string][]string{one: {"cluster 2s"}}, says: []speaks{{label: one, scope: "Node", status: "Unknown"}}, aborted: true, provider: one, reason: "HealthCheckTimeout"},
		{name: "wrong label", policies: map[string][]string{one: {"cluster 2s"}}, says: []speaks{{label: two, scope: "Node", status: "True"}}, aborted: true, provider: one, reason: "HealthCheckTimeout"},
		{name: "no label", policies: map[string][]string{one: {"cluster 2s"}}, says: []speaks{{scope: "Node", status: "True"}}, aborted: true, provider: one, reason: "HealthCheckTimeout"},
		{name: "a False with a wrong label", policies: map[string][]string{one: {"cluster 5s"}}, says: []speaks{{label: two, scope: "Node", status: "False"}, {label: one, scope: "Node", status: "True"}}},
		{name: "owned by another request", policies: map[string][]string{one: {"cluster 2s"}}, says: []speaks{{label: one, scope: "Node", status: "True", stranger: true}}, aborted: true, provider: one, reason: "HealthCheckTimeout"},
		{name: "second policy without an answer", policies: map[string][]string{one: {"cluster 5s"}, two: {"cluster 2s"}}, says: []speaks{{label: one, scope: "Node", status: "True"}}, aborted: true, provider: two, reason: "HealthCheckTimeout"},
		{name: "two providers", policies: map[string][]string{one: {"cluster 5s"}, two: {"user 5s"}}, says: []speaks{{label: one, scope: "Node", status: "True"}, {label: two, scope: "Node", status: "True"}}},
		{name: "another pool", policies: map[string][]string{one: {"system 1s"}}},
		{name: "pool over cluster", policies: map[string][]string{one: {"cluster 1m", "user 2s"}}, aborted: true, provider: one, reason: "HealthCheckTimeout", within: 10 * time.Second},
		{name: "unhealthy pool", policies: map[string][]string{one: {"cluster 1m"}}, says: []speaks{{label: one, scope: "NodePool", status: "False"}}, aborted: true, provider: one, reason: "Said", within: 3 * time.Second},
		{name: "unknown pool", policies: map[string][]string{one: {"cluster 5s"}}, says: []speaks{{label: one, scope: "NodePool", status: "Unknown"}, {label: one, scope: "Node", status: "True"}}},
		{name: "forced", policies: map[string][]string{one: {"cluster 2s"}}, says: []speaks{{label: one, scope: "Node", status: "False"}}, force: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for provider, rules := range c.policies {
				policy(t, provider, provider, rules...)
			}
			name := fmt.Sprintf("asker-%d", time.Now().UnixNano())
			speak(t, name, c.says)
			begin := time.Now()
			got, err := asker.Run(t.Context(), Upgrade{Name: name, Pool: "user", Nodes: []string{name + "-n1"}, Force: c.force})
			if err != nil {
				t.Fatal(err)
			}
			if got.Aborted != c.aborted || got.Provider != c.provider || got.Reason != c.reason {
				t.Errorf("got %+v", got)
			}
			if took := time.Since(begin); c.within > 0 && took > c.within {
				t.Errorf("took %s", took)
			}
		})
	}
}

// AKS shortens a timeout to five minutes, and uses it without one.
func TestClamp(t *testing.T) {
	policy(t, "clamp-hour", "hour.example.com", "cluster 1h")
	policy(t, "clamp-none", "none.example.com", "cluster")
	policy(t, "clamp-less", "less.example.com", "cluster 90s")
	a := Asker{client: client}
	got, err := a.gates(t.Context(), "user")
	if err != nil {
		t.Fatal(err)
	}
	if got["hour.example.com"] != Longest || got["none.example.com"] != Longest || got["less.example.com"] != 90*time.Second {
		t.Errorf("got %v", got)
	}
}

// The API server refuses policies that the published definitions refuse.
func TestPolicyIsChecked(t *testing.T) {
	for name, spec := range map[string]map[string]any{
		"long provider":     {"provider": fmt.Sprintf("%064d", 1), "rules": []any{map[string]any{"target": map[string]any{"scope": "Cluster"}}}},
		"slash":             {"provider": "a/b", "rules": []any{map[string]any{"target": map[string]any{"scope": "Cluster"}}}},
		"no rule":           {"provider": "a", "rules": []any{}},
		"pool without name": {"provider": "a", "rules": []any{map[string]any{"target": map[string]any{"scope": "NodePool"}}}},
		"rollback":          {"provider": "a", "rules": []any{map[string]any{"target": map[string]any{"scope": "Cluster"}, "onFailure": "Rollback"}}},
		"fraction":          {"provider": "a", "rules": []any{map[string]any{"target": map[string]any{"scope": "Cluster"}, "nodeTimeout": "1.5h"}}},
	} {
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "upgrade.aks.io/v1alpha1", "kind": "UpgradeGatePolicy", "spec": spec}}
		o.SetName("refused")
		if _, err := client.Resource(Policies).Create(t.Context(), o, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
