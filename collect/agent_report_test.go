package collect

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

const fromAgent = `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"NodeReport","node":"localhost","takenAt":"2026-03-01T09:59:00Z",
"filesystems":[{"mount":"/var","bytesUsedPercent":20,"inodesUsedPercent":100}],
"kubelet":{"series":["kubelet_pleg_last_seen_seconds 1.7723e+09","rest_client_requests_total{code=\"401\",method=\"PUT\"} 7"]},
"gaps":[{"what":"kernel log","why":"it needs root"},{"what":"units","why":"no systemd"}],
"messages":[
{"signature":"kubelet-pleg-unhealthy","source":"journal","count":3,"first":"2026-03-01T09:55:00Z","last":"2026-03-01T09:57:00Z","text":"2026-03-01T09:55:00.000Z other kubelet[812]: E0301 09:55:00.0 812 kubelet.go:2475] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\""},
{"signature":"kubelet-pleg-unhealthy","source":"journal","count":1,"text":"all is well"},
{"signature":"no-such-signature","source":"journal","count":1,"text":"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s"}]}`

func builderWithSignatures(t *testing.T) *Builder {
	t.Helper()
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return NewBuilder(evidence.Source{}, set)
}

func TestAgentReport(t *testing.T) {
	b := builderWithSignatures(t)
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	b.AddAgentReport("worker-3", now, strings.NewReader(fromAgent))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || d.NodeReports[0].Node != "worker-3" || d.NodeReports[0].Source != "agent on node/worker-3" {
		t.Fatalf("reports: %+v", d.NodeReports)
	}
	if len(d.Matches) != 1 {
		t.Fatalf("%d matches, want the one whose line its signature recognises: %+v", len(d.Matches), d.Matches)
	}
	m := d.Matches[0]
	if m.Subject != evidence.NodeSubject("worker-3") || m.Count != 3 || m.Ref.Source != "agent on node/worker-3: journal" || !m.Last.Equal(time.Date(2026, 3, 1, 9, 57, 0, 0, time.UTC)) {
		t.Errorf("match: %+v", m)
	}
	if len(d.Kubelets) != 1 || d.Kubelets[0].Metrics[`rest_client_requests_total{code="401"}`] != "7" {
		t.Errorf("kubelet: %+v", d.Kubelets)
	}
	if len(d.Gaps) != 1 || d.Gaps[0].What != "kernel log of worker-3" {
		t.Errorf("gaps: %+v", d.Gaps)
	}
}

func TestAgentReportIsOld(t *testing.T) {
	b := builderWithSignatures(t)
	b.AddAgentReport("worker-3", time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC), strings.NewReader(fromAgent))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 0 || len(d.Matches) != 0 || len(d.Gaps) != 1 || !strings.Contains(d.Gaps[0].Why, "3h1m old") {
		t.Errorf("reports %d, gaps %+v", len(d.NodeReports), d.Gaps)
	}
}

func TestAgentReportIsNone(t *testing.T) {
	for _, text := range []string{"", "404 page not found", `{"kind":"Node"}`, `{"kind":"NodeReport","apiVersion":"other/v1"}`} {
		b := builderWithSignatures(t)
		b.AddAgentReport("worker-3", time.Now(), strings.NewReader(text))
		if d := b.Snapshot().Data(); len(d.NodeReports)+len(d.Gaps) != 0 {
			t.Errorf("%q gives %+v", text, d)
		}
	}
}

// The log lines that an agent quotes are saved in a bundle with its report. Reading the bundle gives the same matches.
func TestAgentReportInBundle(t *testing.T) {
	b := builderWithSignatures(t)
	b.AddAgentReport("worker-3", time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC), strings.NewReader(fromAgent))
	live := b.Snapshot()
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer texts.Close()
	var file bytes.Buffer
	if _, err := bundle.Write(t.Context(), &file, live, texts, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	again := builderWithSignatures(t)
	again.AddStream("b.tar.gz", &file)
	if got, want := again.Snapshot().Data().Matches, live.Data().Matches; len(want) == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("matches of the bundle %+v, want %+v", got, want)
	}
}

// Of the report of a healthy peer node, only the setup is used.
func TestPeerReport(t *testing.T) {
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	withSetup := strings.Replace(fromAgent, `"gaps":`, `"setup":{"files":[{"path":"/etc/hosts","area":"dns"}]},"gaps":`, 1)
	for text, want := range map[string]int{withSetup: 1, fromAgent: 0, "404 page not found": 0} {
		b := builderWithSignatures(t)
		b.AddPeerReport("worker-3", now, strings.NewReader(text))
		if d := b.Snapshot().Data(); len(d.NodeReports) != want || len(d.Gaps)+len(d.Matches) > 0 || want > 0 && d.NodeReports[0].Node != "worker-3" {
			t.Errorf("%d reports, %d matches, gaps %+v", len(d.NodeReports), len(d.Matches), d.Gaps)
		}
	}
	b := builderWithSignatures(t)
	b.AddPeerReport("worker-3", now.Add(time.Hour), strings.NewReader(withSetup))
	if d := b.Snapshot().Data(); len(d.NodeReports)+len(d.Gaps) > 0 {
		t.Errorf("an old one: %+v", d.NodeReports)
	}
}

// SavedOf returns at most three archives with short texts and no secrets. It returns nothing if the input is no report.
func TestSavedOf(t *testing.T) {
	one := func(why string) string {
		return `{"file": "` + strings.Repeat("f", 1000) + `", "at": "2026-11-27T17:30:00Z", "why": "` + why + `", "bytes": 5}`
	}
	list := `[` + one("password=hunter22hunter22") + `,` + one(strings.Repeat("w", 1000)) + `,` + one("") + `,` + one("") + `]`
	got := SavedOf(strings.NewReader(`{"apiVersion": "nodetriage.dev/v1alpha1", "kind": "NodeReport", "saved": ` + list + `}`))
	if len(got) != nodereport.KeptSaved {
		t.Fatalf("%d archives", len(got))
	}
	for _, s := range got {
		if len(s.File) > maxSavedText+3 || len(s.Why) > maxSavedText+3 || strings.Contains(s.Why, "hunter22") || s.Bytes != 5 {
			t.Errorf("%+v", s)
		}
	}
	for _, text := range []string{``, `no JSON`, `[]`, `{"saved": ` + list + `}`, `{"apiVersion": "v1", "kind": "NodeReport", "saved": ` + list + `}`,
		`{"apiVersion": "nodetriage.dev/v1alpha1", "kind": "NodeReport"}`, `{"apiVersion": "nodetriage.dev/v1alpha1", "kind": "NodeReport", "saved": "no list"}`} {
		if got := SavedOf(strings.NewReader(text)); len(got) > 0 {
			t.Errorf("%.40s: %v", text, got)
		}
	}
}
