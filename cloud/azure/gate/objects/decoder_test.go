package objects

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

func decode(t *testing.T, text string) evidence.CloudResource {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	if !(Decoder{}).Knows(tree) {
		t.Fatalf("does not know %s", text)
	}
	d := Decoder{}.Decode(tree, "file")
	if len(d.Resources) != 1 {
		return nil
	}
	return d.Resources[0]
}

func TestPolicy(t *testing.T) {
	g, ok := decode(t, `{"apiVersion": "upgrade.aks.io/v1alpha1", "kind": "UpgradeGatePolicy", "metadata": {"name": "mixed"}, "spec": {"provider": "mixed.example.com", "rules": [
		{"target": {"scope": "Cluster"}, "nodeTimeout": "2m"}, {"target": {"scope": "NodePool", "name": "user"}, "nodeTimeout": "1h"}, {"target": {"scope": "NodePool", "name": "gpu"}}]}}`).(*evidence.CloudGate)
	if !ok {
		t.Fatal("no policy")
	}
	want := []evidence.GateRule{{Timeout: 2 * time.Minute}, {Pool: "user", Timeout: 5 * time.Minute}, {Pool: "gpu", Timeout: 5 * time.Minute}}
	if g.Provider != "mixed.example.com" || !reflect.DeepEqual(g.Rules, want) {
		t.Errorf("got %+v", g)
	}
	for pool, want := range map[string]time.Duration{"user": 5 * time.Minute, "system": 2 * time.Minute} {
		if each, gated := g.Of(pool); each != want || !gated {
			t.Errorf("pool %s: %s, %t", pool, each, gated)
		}
	}
	g.Rules = g.Rules[1:]
	if _, gated := g.Of("system"); gated {
		t.Error("a rule for another pool gates the pool")
	}
}

func TestVerdict(t *testing.T) {
	const head = `{"apiVersion": "health.aks.io/v1", "kind": "HealthSignal", "metadata": {"name": "n1-monitor", "labels": {"health.aks.io/provider": "m.example.com"}}, `
	condition := func(typ, status string) string {
		return `{"type": "` + typ + `", "status": "` + status + `", "reason": "Because", "message": "of ` + typ + `", "lastTransitionTime": "2026-02-26T22:16:10Z"}`
	}
	for name, c := range map[string]struct {
		conditions string
		status     evidence.Fact
		message    string
	}{
		"none":           {``, evidence.Unknown, ""},
		"true":           {condition("Ready", "True"), evidence.True, "of Ready"},
		"unknown":        {condition("Ready", "Unknown"), evidence.Unknown, "of Ready"},
		"any false":      {condition("Ready", "True") + "," + condition("Network", "False"), evidence.False, "of Network"},
		"the first true": {condition("Ready", "True") + "," + condition("Network", "Unknown"), evidence.True, "of Ready"},
	} {
		v, ok := decode(t, head+`"spec": {"type": "NodeHealth", "targetRef": {"name": "n1"}}, "status": {"conditions": [`+c.conditions+`]}}`).(*evidence.CloudVerdict)
		if !ok || v.Status != c.status || v.Message != c.message || v.About != evidence.NodeSubject("n1") || v.Provider != "m.example.com" {
			t.Errorf("%s: got %+v", name, v)
		}
	}
	v, _ := decode(t, head+`"spec": {"type": "NodePoolHealth"}}`).(*evidence.CloudVerdict)
	if v.About != evidence.ClusterSubject() || v.Scope != "node pool" {
		t.Errorf("got %+v", v)
	}
}

// What does not match the API is skipped, and names are bounded.
func TestHostile(t *testing.T) {
	for _, text := range []string{
		`{"apiVersion": "health.aks.io/v1alpha1", "kind": "HealthSignal"}`,
		`{"apiVersion": "health.aks.io/v1alpha1", "kind": "HealthSignal", "metadata": {"name": "x"}, "spec": 7}`,
		`{"apiVersion": "upgrade.aks.io/v1alpha1", "kind": "UpgradeGatePolicy", "metadata": {"name": "x"}, "spec": {"rules": {}}}`,
	} {
		if r := decode(t, text); r != nil {
			t.Errorf("%s gives %+v", text, r)
		}
	}
	long := strings.Repeat("x", 100_000)
	v, _ := decode(t, `{"apiVersion": "health.aks.io/v1alpha1", "kind": "HealthSignal", "metadata": {"name": "`+long+`"}, "status": {"conditions": [{"status": "False", "message": "`+long+`"}]}}`).(*evidence.CloudVerdict)
	if len(v.Name) > 1000 || len(v.Message) > 2000 || len(v.Ref.Text) > 4000 {
		t.Errorf("%d bytes of a name, %d of a message, %d of a reference", len(v.Name), len(v.Message), len(v.Ref.Text))
	}
	if (Decoder{}).Knows(map[string]any{"apiVersion": "health.aks.io/v1alpha1", "kind": "HealthCheckRequest"}) {
		t.Error("a request is no evidence")
	}
}
