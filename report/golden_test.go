package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/answers/timeline"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// incidents are the folders of testdata for which every form is written.
var incidents = []string{"vxlan", "pasted", "unclear", "healthy", "faults", "lines", "possible"}

// incident is one folder of testdata.
type incident struct {
	report   *triage.Report
	snapshot *evidence.Snapshot
}

func readIncident(t testing.TB, name string) incident {
	t.Helper()
	var in incident
	var data evidence.Data
	for file, into := range map[string]any{"report.json": &in.report, "evidence.json": &data} {
		text, err := os.ReadFile(filepath.Join("testdata", name, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	in.snapshot = evidence.New(data)
	return in
}

// knowledge is a small catalog for tests, so that outputs do not change with the built-in one.
func knowledge(t testing.TB) (*catalog.Catalog, *signatures.Set) {
	t.Helper()
	c, err := catalog.Read(os.DirFS("testdata/catalog"))
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Read(os.DirFS("testdata/signatures"))
	if err != nil {
		t.Fatal(err)
	}
	return c, set
}

func TestForms(t *testing.T) {
	c, set := knowledge(t)
	screen := report.Style{Width: 80}
	for _, name := range incidents {
		in := readIncident(t, name)
		m := nodes.New(in.snapshot, in.report, time.Time{})
		forms := map[string]func(io.Writer) error{
			"text":     func(w io.Writer) error { return report.Text(w, in.report, screen) },
			"wide":     func(w io.Writer) error { return report.Text(w, in.report, report.Style{Width: 80, Wide: true}) },
			"color":    func(w io.Writer) error { return report.Text(w, in.report, report.Style{Width: 80, Color: true}) },
			"markdown": func(w io.Writer) error { return report.Markdown(w, in.report) },
			"junit":    func(w io.Writer) error { return report.JUnit(w, in.report, m) },
			"sarif":    func(w io.Writer) error { return report.SARIF(w, in.report, "v0") },
			"html": func(w io.Writer) error {
				return report.HTML(w, report.Incident{Report: in.report, Snapshot: in.snapshot, Catalog: c, Signatures: set, Version: "v0"})
			},
			"nodes":      func(w io.Writer) error { return report.Map(w, m, screen) },
			"nodes-wide": func(w io.Writer) error { return report.Map(w, m, report.Style{Width: 80, Wide: true}) },
			"nodes-html": func(w io.Writer) error { return report.MapHTML(w, m, "v0") },
		}
		if node := map[string]string{"vxlan": "ip-10-0-0-11.ec2.internal", "faults": "w-2"}[name]; node != "" {
			d := nodes.NewDetail(in.snapshot, in.report, node, time.Time{})
			forms["node"] = func(w io.Writer) error { return report.Node(w, d, screen) }
			forms["node-html"] = func(w io.Writer) error {
				return report.NodeHTML(w, report.NodeIncident{Detail: d, Timeline: timeline.New(in.snapshot, set, node), Catalog: c, Version: "v0"})
			}
		}
		for form, write := range forms {
			t.Run(name+"/"+form, func(t *testing.T) { casetest.Golden(t, filepath.Join("testdata", name, form+".golden"), write) })
		}
	}
}

func TestPages(t *testing.T) {
	c, set := knowledge(t)
	screen := report.Style{Width: 80}
	cause, symptom := report.NewPage(c, set, "kernel-module-missing"), report.NewPage(c, set, "network-unavailable")
	for name, write := range map[string]func(io.Writer) error{
		"cause":          func(w io.Writer) error { return report.Explain(w, cause, screen) },
		"cause-markdown": func(w io.Writer) error { return report.PageMarkdown(w, cause) },
		"symptom":        func(w io.Writer) error { return report.Explain(w, symptom, screen) },
		"list":           func(w io.Writer) error { return report.ExplainList(w, report.NewIndex(c, nil), screen) },
		"list-markdown":  func(w io.Writer) error { return report.IndexMarkdown(w, report.NewIndex(c, nil)) },
	} {
		t.Run(name, func(t *testing.T) { casetest.Golden(t, filepath.Join("testdata", "pages", name+".golden"), write) })
	}
	if report.NewPage(c, set, "no-such-cause") != nil {
		t.Error("a page of a cause that does not exist")
	}
}

func TestForecasts(t *testing.T) {
	for _, name := range []string{"power-off", "down"} {
		text, err := os.ReadFile(filepath.Join("testdata", "forecasts", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var f predict.Forecast
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		for form, write := range map[string]func(io.Writer) error{
			"text": func(w io.Writer) error { return report.Forecast(w, &f, report.Style{Width: 80}) },
			"wide": func(w io.Writer) error { return report.Forecast(w, &f, report.Style{Width: 80, Wide: true}) },
			"html": func(w io.Writer) error { return report.ForecastHTML(w, &f, "v0") },
		} {
			t.Run(name+"/"+form, func(t *testing.T) {
				casetest.Golden(t, filepath.Join("testdata", "forecasts", name+"."+form+".golden"), write)
			})
		}
	}
}

func TestUpgrade(t *testing.T) {
	minutes := func(from, to int) plan.Interval {
		return plan.Within(time.Duration(from)*time.Minute, time.Duration(to)*time.Minute)
	}
	held := upgrade.StuckPod{Namespace: "shop", Name: "db-0", Blockers: []drain.Blocker{{Kind: drain.Budget, Name: "shop/db",
		Detail: "the budget wants 1 of 1 pods healthy (minAvailable 1), so it never allows an eviction", Unblock: []shell.Text{}}}}
	u := &upgrade.Plan{
		Pool: "np1", Verdict: plan.Blocked, Duration: minutes(46, 90), Moves: 5,
		Settings: upgrade.Settings{Style: upgrade.AKS, Surge: 2, DrainTimeout: 30 * time.Minute, Undrainable: upgrade.Quarantine, NodeStart: minutes(1, 10)},
		Nodes:    []string{"np1-0", "np1-1", "np1-2", "np1-3"},
		Steps: []upgrade.Step{
			{Nodes: []string{"np1-0", "np1-1"}, Begin: minutes(1, 10), End: minutes(31, 42), Moves: 3, Waiting: 1},
			{Nodes: []string{"np1-2"}, Begin: minutes(31, 42), End: minutes(33, 56), Moves: 2},
			{Nodes: []string{"np1-new-1"}, Begin: minutes(33, 56), End: minutes(46, 90)},
		},
		Stuck: []upgrade.Stuck{{Node: "np1-1", At: minutes(31, 40), Certain: true, Done: 1, Then: "the node stays cordoned, in quarantine", Pods: []upgrade.StuckPod{held}}},
		First: &upgrade.Change{Why: "pod shop/db-0 on node np1-1: its budget never lets it go", Harm: "two pods run at once",
			Commands: []shell.Text{"kubectl get pdb -n shop db -o yaml > db.yaml", "kubectl scale -n shop statefulset/db --replicas=2"}},
		Peak:        upgrade.Peak{Pods: 1, At: minutes(2, 12), Some: []string{"deployment shop/web"}, Says: "0/4 nodes are available: 4 Insufficient cpu."},
		Needs:       upgrade.Needs{Nodes: 2, Cores: 8, Memory: 32 << 30, Addresses: 2, PerNode: "one for each node"},
		Lost:        []string{"shop/<b>lonely</b>"},
		Assumptions: []string{"nodes are replaced in the order of their names"},
		NotChecked:  []triage.NotChecked{{What: "which webhooks are asked", Why: "forbidden", How: "kubectl get validatingwebhookconfigurations"}},
	}
	for form, write := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return report.Upgrade(w, u, report.Style{Width: 80}) },
		"html": func(w io.Writer) error { return report.UpgradeHTML(w, u, "v0") },
	} {
		t.Run(form, func(t *testing.T) {
			casetest.Golden(t, filepath.Join("testdata", "upgrades", "quarantine."+form+".golden"), write)
		})
	}
}

func TestVerification(t *testing.T) {
	at := func(text string) *time.Time {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return &when
	}
	v := &verify.Verification{
		Node: "w-1", Source: "cluster lab", TakenAt: at("2026-11-21T08:29:40Z"), Since: at("2026-11-21T08:20:00Z"), Verdict: verify.NotClear, Faults: 2,
		Steps: []verify.Step{
			{ID: "ready", Title: "Ready", Result: verify.Clear, Detail: "the kubelet says that the node is ready", Since: at("2026-11-21T08:21:00Z")},
			{ID: "rules", Title: "rules", Result: verify.NotClear, Detail: "found: cni-binary-missing, disk-pressure", How: "nodetriage diagnose w-1"},
		},
		Over: []triage.Over{
			{Cause: "runtime-hung", Title: "The container runtime runs but does not answer", Subject: evidence.NodeSubject("w-1"), From: at("2026-11-21T08:01:00Z"), To: at("2026-11-21T08:20:10Z"),
				EndedBy: "the runtime answers", Evidence: []evidence.Ref{{Source: "kubelet.log", Locator: "line 3", Text: "PLEG is not healthy", Hit: "PLEG is not healthy"}}},
			{Cause: "kubelet-stopped", Title: "The kubelet does not run", Subject: evidence.NodeSubject("w-1"), To: at("2026-11-20T23:00:00Z"), EndedBy: "it was started"},
		},
	}
	for form, style := range map[string]report.Style{"text": {Width: 80}, "wide": {Width: 80, Wide: true}} {
		t.Run(form, func(t *testing.T) {
			casetest.Golden(t, filepath.Join("testdata", "verifications", "over."+form+".golden"), func(w io.Writer) error { return report.Verification(w, v, style) })
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "line " + g[i] + "\nwant " + w[i]
		}
	}
	return "its end"
}

// One screen per incident: the first page fits a terminal of 80 columns, and 45 lines are enough for the answer, the remedy and
// what was not checked.
func TestTextFitsTheScreen(t *testing.T) {
	for _, name := range incidents {
		var b bytes.Buffer
		if err := report.Text(&b, readIncident(t, name).report, report.Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
		most := map[string]int{"vxlan": 60, "faults": 75}[name] // many nodes, and four faults at once
		if len(lines) > max(most, 45) {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, l := range lines {
			command := strings.HasPrefix(l, strings.Repeat(" ", 16)) // commands are never broken
			word := !strings.Contains(strings.TrimSpace(l), " ")     // nor are words, so that they can be copied
			if len([]rune(l)) > 80 && !command && !word {
				t.Errorf("%s: longer than 80 columns: %s", name, l)
			}
		}
	}
}

// Colour adds only escape sequences to every form.
func TestColorAddsNothing(t *testing.T) {
	in := readIncident(t, "vxlan")
	var plain, painted bytes.Buffer
	if err := report.Text(&plain, in.report, report.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if err := report.Text(&painted, in.report, report.Style{Width: 80, Color: true}); err != nil {
		t.Fatal(err)
	}
	if stripped := sgr.ReplaceAllString(painted.String(), ""); stripped != plain.String() {
		t.Errorf("differs at %s", firstDifference(stripped, plain.String()))
	}
}

// The same event at two times is two lines: no interval spans the time between them, and none is both past and future.
func TestForecastKeepsTimesApart(t *testing.T) {
	moment := func(pod string, from, to time.Duration) predict.Moment {
		return predict.Moment{
			Interval: plan.Within(from, to), What: "deletion requested",
			Subject: evidence.Subject{Kind: "Pod", Namespace: "shop", Name: pod},
		}
	}
	f := &predict.Forecast{Nodes: []string{"w1"}, Timeline: []predict.Moment{
		moment("a", 41*time.Second, 57*time.Second), moment("b", 50*time.Second, 60*time.Second), moment("c", 340*time.Second, 355*time.Second),
	}}
	text := func() string {
		var out bytes.Buffer
		if err := report.Forecast(&out, f, report.Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	for _, want := range []string{"41s to 60s shop/a, shop/b: deletion", "5m40s to 5m55s shop/c: deletion"} {
		if got := text(); !strings.Contains(got, want) {
			t.Errorf("the forecast does not say %q: %s", want, got)
		}
	}
	begin, now := time.Date(2026, 6, 2, 0, 0, 0, 0, time.UTC), plan.Duration(58*time.Second)
	f.EventAt, f.Now = &begin, &now
	if got, want := text(), "What has happened 00:00:41Z to 00:00:57Z shop/a: deletion requested What happens next automatically 00:00:50Z to 00:01:00Z shop/b:"; !strings.Contains(got, want) {
		t.Errorf("the forecast does not say %q: %s", want, got)
	}
}

// The end of a drain shows how to uncordon its nodes. A dry run claims nothing.
func TestDrained(t *testing.T) {
	for want, end := range map[string]report.DrainEnd{
		"DRAINED 2 pods evicted No new pods are scheduled to w1 until: kubectl uncordon w1":            {Nodes: []string{"w1"}, Drained: true, Evicted: 2, Undo: "kubectl uncordon w1"},
		"NOT DRAINED 1 pod evicted; it ended early: interrupted shop/a: a budget":                      {Nodes: []string{"w1"}, Evicted: 1, Aborted: "interrupted", Left: []string{"shop/a: a budget"}},
		"DRY RUN nothing was done; the API server would evict 1 pod, and not 1 other shop/a: a budget": {Nodes: []string{"w1"}, DryRun: true, Evicted: 1, Left: []string{"shop/a: a budget"}},
	} {
		var out bytes.Buffer
		if err := report.Drained(&out, end, report.Style{Width: 100}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(out.String()), " "); got != want {
			t.Errorf("it ends with %q, want %q", got, want)
		}
	}
}

// The page of a cause fits a screen, and shows its fixes in the order of their risk, with the risk.
func TestPagesFitAScreen(t *testing.T) {
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, x := range c.Causes() {
		ids = append(ids, x.ID)
	}
	for _, x := range c.Symptoms() {
		ids = append(ids, x.ID)
	}
	for _, id := range ids {
		var b bytes.Buffer
		p := report.NewPage(c, set, id)
		if err := report.Explain(&b, p, report.Style{Width: 80}); err != nil {
			t.Fatal(err)
		}
		rows := 0
		for line := range strings.Lines(b.String()) {
			rows += max(1, (len([]rune(strings.TrimRight(line, "\n")))+79)/80)
		}
		if rows > 23 {
			t.Errorf("%s: %d rows:\n%s", id, rows, b.String())
		}
		if len(p.Remedies) == 0 {
			continue
		}
		_, fix, _ := strings.Cut(strings.Join(strings.Fields(b.String()), " "), "FIX 1 ")
		if _, risk, _ := strings.Cut(fix, "(risk: "); !strings.HasPrefix(risk, p.Remedies[0].Risk) {
			t.Errorf("%s: no fix:\n%s", id, b.String())
		}
	}
}
