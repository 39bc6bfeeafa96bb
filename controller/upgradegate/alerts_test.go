package upgradegate

import (
	"os"
	"regexp"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/yaml"
)

// The alerts about upgrades use only metrics that the gate exports.
func TestAlertsUseExportedMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	if _, err := NewMetrics(registry); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]bool{}
	for _, f := range families {
		exported[f.GetName()] = true
	}
	text, err := os.ReadFile("../../charts/nodetriage/files/alerts-upgrade-gate.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(text, &alerts); err != nil || len(alerts.Groups) != 1 || len(alerts.Groups[0].Rules) != 2 {
		t.Fatalf("%+v, %v", alerts, err)
	}
	for _, r := range alerts.Groups[0].Rules {
		for _, name := range regexp.MustCompile(`nodetriage_\w+`).FindAllString(r.Expr, -1) {
			if !exported[name] {
				t.Errorf("alert %s: no such metric: %s", r.Alert, name)
			}
		}
	}
}
