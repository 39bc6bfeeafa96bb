package predict_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// checkProperties checks what is true of every forecast.
func checkProperties(t *testing.T, s *evidence.Snapshot, sc predict.Scenario, f *predict.Forecast) {
	t.Helper()
	again, err := predict.New(s, sc)
	if err != nil || !reflect.DeepEqual(f, again) {
		t.Errorf("a second run differs (%v)", err)
	}
	data, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var back predict.Forecast
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(f, &back) {
		t.Errorf("the JSON form loses something (%v)", err)
	}
	for i, m := range f.Timeline {
		checkSpan(t, m.What, &m.Interval)
		if i > 0 && m.From < f.Timeline[i-1].From {
			t.Errorf("%q comes before %q", f.Timeline[i-1].What, m.What)
		}
		if m.What == "" || m.Why == "" || m.Subject.IsZero() {
			t.Errorf("a moment without what, why or subject: %+v", m)
		}
		if m.From < 0 && sc.Event != predict.AlreadyDown {
			t.Errorf("%q is before the event", m.What)
		}
	}
	on := 0
	for _, n := range f.Nodes {
		on += len(s.PodsOn(n))
	}
	if len(f.Pods) != on {
		t.Errorf("%d fates for %d pods", len(f.Pods), on)
	}
	for _, p := range f.Pods {
		checkPod(t, sc.Event, p)
	}
}

func checkPod(t *testing.T, event predict.Event, p predict.PodFate) {
	t.Helper()
	r := p.Replacement
	for name, s := range map[string]*plan.Interval{"deleted": p.DeletedAt, "gone": p.GoneAt, "replaced": r.At, "starts": r.StartsAt, "not ready": p.NotReadyAt} {
		checkSpan(t, p.Name+" "+name, s)
	}
	after := func(name string, first, second *plan.Interval) {
		if first != nil && second != nil && (second.From < first.From || second.To < first.To) {
			t.Errorf("%s: %s: %s is not after %s", p.Name, name, second, first)
		}
	}
	after("gone", p.DeletedAt, p.GoneAt)
	if event != predict.Shutdown {
		after("replaced", p.DeletedAt, r.At)
	}
	after("starts", r.At, r.StartsAt)
	switch p.Fate {
	case predict.Stays, predict.NeverMoves:
		if p.DeletedAt != nil || p.GoneAt != nil {
			t.Errorf("%s %s, but is deleted", p.Name, p.Fate)
		}
	case predict.Evicted:
		if p.DeletedAt == nil || p.GoneAt == nil {
			t.Errorf("%s evicted, but is not gone", p.Name)
		}
	case predict.StuckTerminating:
		if p.DeletedAt == nil {
			t.Errorf("%s is stuck, but was not deleted", p.Name)
		}
	}
	if p.GoneAt != nil && p.DeletedAt == nil {
		t.Errorf("%s is gone without a deletion", p.Name)
	}
	if r.At != nil && p.DeletedAt == nil && event != predict.Shutdown {
		t.Errorf("%s is replaced without a deletion", p.Name)
	}
	if (r.Kind == predict.Created) != (r.At != nil) {
		t.Errorf("%s: replacement %s at %s", p.Name, r.Kind, r.At)
	}
	if len(p.Because) == 0 {
		t.Errorf("%s: no reason", p.Name)
	}
}

func checkSpan(t *testing.T, what string, s *plan.Interval) {
	t.Helper()
	if s != nil && s.To < s.From {
		t.Errorf("%s: %s is negative", what, s)
	}
}

// After any incident, each of its nodes has a forecast for each event, or an error with the reason.
func TestRecordedIncidents(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads all cases")
	}
	files, err := filepath.Glob("../../cases/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	forecasts := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte("kubelet")) || len(text) > 1<<20 {
			continue // it has no nodes, or takes long to read
		}
		archive, err := txtar.FS(txtar.Parse(text))
		if err != nil {
			t.Fatal(err)
		}
		b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: path}, set)
		if err := b.AddFS(archive); err != nil {
			continue // a case about evidence that cannot be read
		}
		s := b.Snapshot()
		for _, n := range s.Data().Nodes[:min(3, len(s.Data().Nodes))] {
			for _, e := range append(slices.Clone(predict.Events), predict.AlreadyDown) {
				forecasts += forecastOf(t, s, n.Name, e)
			}
		}
	}
	t.Logf("%d forecasts", forecasts)
	if forecasts == 0 {
		t.Error("no case has a node")
	}
}

func forecastOf(t *testing.T, s *evidence.Snapshot, node string, e predict.Event) int {
	t.Helper()
	sc := predict.Scenario{Nodes: []string{node}, Event: e}
	switch e {
	case predict.Taint:
		sc.Taint = &corev1.Taint{Key: "k", Effect: corev1.TaintEffectNoExecute}
	case predict.Reboot:
		back := 5 * time.Minute
		sc.BackAfter = &back
	}
	f, err := predict.New(s, sc)
	if err != nil {
		if !strings.Contains(err.Error(), "node "+node+" is not down") && !strings.Contains(err.Error(), "of node "+node+": ") {
			t.Errorf("an error that does not name the node: %v", err)
		}
		return 0
	}
	checkProperties(t, s, sc, f)
	return 1
}
