//go:build unix

package controller_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// Versions of the real programs.
const (
	prometheusVersion   = "v0.316.0" // Prometheus 3.16
	alertmanagerVersion = "v0.35.0"
)

// The real Prometheus scrapes the real controller with the rules that are shipped, and sends to the real Alertmanager, which has the
// route of the documentation: a sick node becomes a message with its cause. If the controller ends, the usual receiver of
// Alertmanager still gets every alert, and one that says that nodetriage is blind.
func TestMonitoring(t *testing.T) {
	if os.Getenv("NODETRIAGE_MONITORING") == "" {
		t.Skip("make monitoring plays it: Prometheus and Alertmanager take minutes to build")
	}
	m := newMonitoring(t)
	w, r := m.world, m.controller
	m.until("Prometheus scrapes the controller", func() bool { return len(m.query(`up{job="nodetriage"} == 1`)) == 1 })
	m.until("the cluster is judged", func() bool { return len(m.query(`max(nodetriage_last_judgement_timestamp_seconds) > 0`)) == 1 })
	time.Sleep(5 * time.Second) // a rule that fires in a healthy cluster has fired by then
	if firing := m.query(`ALERTS{alertstate="firing"}`); len(firing) > 0 {
		t.Errorf("alerts in a healthy cluster: %v", firing)
	}

	node := size.Node(0)
	w.sick(t, node, true)
	begun := time.Now()
	m.until("an alert with the cause fires", func() bool {
		return len(m.query(`ALERTS{alertname="NodeBrokenWithCause", alertstate="firing", cause!=""}`)) > 0
	})
	m.until("a message names the node and its cause", func() bool {
		return m.chat.has(`"`+node+`"`, `"`+w.of(t, node).Primary.Cause+`"`)
	})
	t.Logf("the message came %s after the fault; rules wait %s and Alertmanager %s", time.Since(begun).Round(time.Millisecond), waits, groupWait)
	m.until("the usual receiver gets the alert", func() bool { return m.usual.has("NodeSick", node) })
	for i := range 9 { // three of each pool
		w.sick(t, size.Node(i), true)
	}
	m.until("nodes with the same cause are one alert", func() bool {
		return len(m.query(`ALERTS{alertname="SameCauseManyNodes", alertstate="firing"}`)) > 0
	})
	for _, expr := range boardQueries(t) {
		if len(m.query(expr)) == 0 {
			t.Errorf("the board shows nothing for %s", expr)
		}
	}

	r.kill()
	m.until("the usual receiver hears that nodetriage is blind", func() bool { return m.usual.has("NodetriageBlind") })
	m.run()
	for i := range 9 {
		w.sick(t, size.Node(i), false)
	}
	m.until("all alerts end", func() bool { return len(m.query(`ALERTS{alertstate="firing"}`)) == 0 })
	m.until("the usual receiver hears of the end", func() bool { return m.usual.has("NodetriageBlind", `"status":"resolved"`) })
}

// Waiting times of the rules and of Alertmanager in this test. The shipped rules wait for minutes.
const (
	waits     = "2s"
	groupWait = "1s"
)

// monitoring is a controller with a real Prometheus and a real Alertmanager.
type monitoring struct {
	t           *testing.T
	world       *world
	controller  *replica
	run         func() // starts another controller
	prometheus  string // its address
	chat, usual *receiver
}

func newMonitoring(t *testing.T) *monitoring {
	t.Helper()
	prometheus := upstream(t, "github.com/prometheus/prometheus", prometheusVersion, "prometheus")
	alertmanager := upstream(t, "github.com/prometheus/alertmanager", alertmanagerVersion, "alertmanager")
	m := &monitoring{t: t, world: newWorld(t), chat: receive(t), usual: receive(t), prometheus: freeAddress(t)}
	dir, metrics, webhook, alerts := t.TempDir(), freeAddress(t), freeAddress(t), freeAddress(t)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	token, kubeconfig := file("token", "secret"), m.world.user(t)
	m.run = func() {
		m.controller = run(t, kubeconfig, "--metrics-address", metrics, "--alert-webhook-address", webhook,
			"--alert-webhook-token-file", token, "--alert-message-url-file", file("url", m.chat.url))
	}
	m.run()
	program(t, alertmanager, "--config.file", file("alertmanager.yaml", routes(t, m.usual.url, "http://"+webhook+"/alertmanager", token)),
		"--storage.path", filepath.Join(dir, "alertmanager"), "--web.listen-address", alerts, "--cluster.listen-address", "")
	file("alerts.yaml", shortened(t))
	file("usual.yaml", usualAlert)
	program(t, prometheus, "--config.file", file("prometheus.yaml", fmt.Sprintf(`
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [alerts.yaml, usual.yaml]
alerting: {alertmanagers: [{static_configs: [{targets: [%q]}]}]}
scrape_configs:
  - job_name: nodetriage
    scheme: https
    tls_config: {insecure_skip_verify: true}
    authorization: {credentials_file: %q}
    static_configs: [{targets: [%q]}]
`, alerts, file("prometheus-token", m.world.prometheus(t)), metrics)),
		"--storage.tsdb.path", filepath.Join(dir, "prometheus"), "--web.listen-address", m.prometheus)
	return m
}

// usualAlert is an alert about one node, as clusters have it.
const usualAlert = `
groups:
  - name: usual
    rules:
      - alert: NodeSick
        expr: max by (node) (nodetriage_node_verdict{verdict=~"broken|warning"}) == 1
`

// shortened returns the rules that are shipped, with shorter waiting times.
func shortened(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../charts/nodetriage/files/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^(\s+for:) \d+[mh]$`).ReplaceAllString(string(text), "$1 "+waits)
}

// routes returns the configuration of Alertmanager: the fragment of the documentation, and the usual receiver.
func routes(t *testing.T, usual, webhook, token string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/how-to/explain-alerts.md")
	if err != nil {
		t.Fatal(err)
	}
	fragment := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	if fragment == nil {
		t.Fatal("the documentation has no configuration")
	}
	text := strings.NewReplacer("http://nodetriage-controller.nodetriage.svc:9095/alertmanager", webhook, "/etc/alertmanager/nodetriage-token", token).Replace(string(fragment[1]))
	var config map[string]any
	if err := yaml.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	route := config["route"].(map[string]any)
	route["group_wait"], route["group_interval"] = groupWait, "1s"
	config["receivers"] = append(config["receivers"].([]any), map[string]any{
		"name": "usual", "webhook_configs": []any{map[string]any{"url": usual, "send_resolved": true}},
	})
	out, err := yaml.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// boardQueries returns the queries of the dashboard, for all pools.
func boardQueries(t *testing.T) (out []string) {
	t.Helper()
	text, err := os.ReadFile("../../charts/nodetriage/files/board.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		for _, q := range p.Targets {
			out = append(out, strings.ReplaceAll(q.Expr, "$pool", ".*"))
		}
	}
	return out
}

// until waits until a state is reached.
func (m *monitoring) until(what string, done func() bool) {
	m.t.Helper()
	m.world.until(m.t, 2*time.Minute, what, func() bool { time.Sleep(100 * time.Millisecond); return done() })
}

// query returns the labels of the series that a query finds now; none while Prometheus starts.
func (m *monitoring) query(expr string) []map[string]string {
	m.t.Helper()
	body := fetch(m.t, "http://"+m.prometheus+"/api/v1/query?query="+url.QueryEscape(expr))
	var answer struct {
		Status, Error string
		Data          struct {
			Result []struct{ Metric map[string]string }
		}
	}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		return nil
	case answer.Status != "success":
		m.t.Fatalf("%s: %s", expr, answer.Error)
	}
	var out []map[string]string
	for _, r := range answer.Data.Result {
		out = append(out, r.Metric)
	}
	return out
}

// fetch returns the answer to a request; nothing while the program does not listen.
func fetch(t *testing.T, address string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil
	}
	return body
}

// receiver keeps what was sent to it.
type receiver struct {
	url string

	mu   sync.Mutex
	sent []string
}

func receive(t *testing.T) *receiver {
	r := &receiver{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.sent = append(r.sent, string(body))
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// has reports whether one notification has all these words.
func (r *receiver) has(words ...string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.sent, func(text string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
}

// program starts a program that ends with the test.
func program(t *testing.T, path string, args ...string) {
	t.Helper()
	log := &safeBuffer{}
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(filepath.Base(path), log)
		}
	})
}
