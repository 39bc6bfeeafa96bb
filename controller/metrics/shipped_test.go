package metrics

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/yaml"
)

// exported returns the labels of each exported metric.
func exported(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	to := make(chan *prometheus.Desc, 100)
	New(&fixed{}, "v1").Describe(to)
	close(to)
	// A Desc shows its name and labels only as a text.
	name, labels := regexp.MustCompile(`fqName: "([^"]+)"`), regexp.MustCompile(`variableLabels: \{([^}]*)\}`)
	for d := range to {
		out[name.FindStringSubmatch(d.String())[1]] = strings.Split(labels.FindStringSubmatch(d.String())[1], ",")
	}
	return out
}

var (
	metricName = regexp.MustCompile(`nodetriage_[a-z_]+`)
	matcher    = regexp.MustCompile(`(nodetriage_[a-z_]+)\{([^}]*)\}`)
	labelName  = regexp.MustCompile(`([a-z_]+)\s*(?:=~|!~|!=|=)`)
)

// checkQuery reports names of metrics and labels in a query that the controller does not export.
func checkQuery(t *testing.T, query string, metrics map[string][]string) {
	t.Helper()
	base := func(name string) string { return strings.TrimSuffix(name, "_bucket") }
	for _, name := range metricName.FindAllString(query, -1) {
		if metrics[base(name)] == nil {
			t.Errorf("%s: no such metric: %s", query, name)
		}
	}
	for _, m := range matcher.FindAllStringSubmatch(query, -1) {
		for _, l := range labelName.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(metrics[base(m[1])], l[1]) {
				t.Errorf("%s: metric %s has no label %s", query, m[1], l[1])
			}
		}
	}
}

// Every alert and every panel of the board asks for metrics that the controller exports, and every metric is on the board.
func TestShippedQueries(t *testing.T) {
	metrics := exported(t)
	var alerts struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	read(t, "alerts.yaml", &alerts)
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	read(t, "board.json", &board)
	shown := ""
	for _, p := range board.Panels {
		if len(p.Targets) == 0 {
			t.Errorf("panel %s has no query", p.Title)
		}
		for _, q := range p.Targets {
			checkQuery(t, q.Expr, metrics)
			shown += q.Expr
		}
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		if !strings.Contains(shown, name) && name != "nodetriage_build_info" {
			t.Errorf("metric %s is not on the board", name)
		}
	}
	for _, g := range alerts.Groups {
		if len(g.Rules) != 5 {
			t.Errorf("%d alerts", len(g.Rules))
		}
		for _, r := range g.Rules {
			checkQuery(t, r.Expr, metrics)
		}
	}
}

// Every runbook of an alert exists.
func TestRunbooks(t *testing.T) {
	var raw []byte
	for _, file := range []string{"alerts.yaml", "alerts-upgrade-gate.yaml"} {
		text, err := os.ReadFile("../../charts/nodetriage/files/" + file)
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, text...)
	}
	links := regexp.MustCompile(`runbook_url: https://github.com/nodetriage/nodetriage/blob/main/(\S+?\.md|\S+\{\{.*\}\}\.md)`).FindAllStringSubmatch(string(raw), -1)
	if len(links) != 7 {
		t.Fatalf("%d runbooks", len(links))
	}
	for _, l := range links {
		page := regexp.MustCompile(`\{\{ \$labels\.cause \}\}`).ReplaceAllString(l[1], "disk-pressure")
		page = regexp.MustCompile(`\{\{ \$labels\.reason \}\}`).ReplaceAllString(page, "pdb")
		if _, err := os.Stat("../../" + page); err != nil {
			t.Error(err)
		}
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile("../../charts/nodetriage/files/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".json") {
		err = json.Unmarshal(raw, into)
	} else {
		err = yaml.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
