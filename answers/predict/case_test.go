package predict_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// caseFile is case.yaml of a case. Its other files are want, and objects that replace or extend those of testdata/cluster.yaml.
type caseFile struct {
	predict.Scenario
	Alone   bool   // without testdata/cluster.yaml
	Server  string // version
	Taken   time.Time
	Back    string
	Restart string // of the controller manager
	Taint   string
	Shown   evidence.Coverage // of nodes; default: complete
}

func readCase(t testing.TB, file *casetest.Case) (caseFile, *evidence.Snapshot) {
	t.Helper()
	c := caseFile{Server: "v1.36.3", Shown: evidence.Complete, Taken: time.Date(2026, 11, 21, 10, 0, 1, 0, time.UTC)}
	file.YAML(t, "case.yaml", &c)
	var objects []string
	for _, f := range file.Files("case.yaml", "want") {
		objects = append(objects, string(f.Data))
	}
	c.BackAfter, c.ManagerRestart = duration(t, c.Back), duration(t, c.Restart)
	if c.Taint != "" {
		var err error
		if c.Scenario.Taint, err = predict.ParseTaint(c.Taint); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Alone {
		shared, err := os.ReadFile("testdata/cluster.yaml")
		if err != nil {
			t.Fatal(err)
		}
		objects = append([]string{string(shared)}, objects...)
	}
	return c, snapshot(t, strings.Join(objects, "\n---\n"), c)
}

// duration parses a duration of a case; nil if it has none.
func duration(t testing.TB, text string) *time.Duration {
	t.Helper()
	if text == "" {
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

// snapshot reads objects. Of two with one name the later counts.
func snapshot(t testing.TB, text string, c caseFile) *evidence.Snapshot {
	t.Helper()
	var order []string
	byName := map[string]json.RawMessage{}
	for _, doc := range strings.Split(text, "\n---\n") {
		var head struct {
			Kind     string
			Metadata struct{ Name, Namespace string }
		}
		if err := yaml.Unmarshal([]byte(doc), &head); err != nil {
			t.Fatal(err)
		}
		if head.Kind == "" {
			continue
		}
		key := fmt.Sprint(head)
		if byName[key] == nil {
			order = append(order, key)
		}
		data, err := yaml.YAMLToJSON([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		byName[key] = data
	}
	list := map[string]any{"apiVersion": "v1", "kind": "List"}
	var items []json.RawMessage
	for _, key := range order {
		items = append(items, byName[key])
	}
	list["items"] = items
	all, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: "case"}, set)
	b.AddStream("objects.json", bytes.NewReader(all))
	if err := b.Unreadable(); err != nil {
		t.Fatal(err)
	}
	b.TakenAt(c.Taken)
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Server.Version = c.Server })
	s := b.Snapshot()
	s.Data().Coverage[evidence.Nodes] = c.Shown
	return s
}

// TestCases compares the short form of each case's forecast with the expected one.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, file *casetest.Case) {
		c, s := readCase(t, file)
		f, err := predict.New(s, c.Scenario)
		if err != nil {
			file.Want(t, "want", "error: "+err.Error()+"\n")
			return
		}
		checkProperties(t, s, c.Scenario, f)
		file.Want(t, "want", brief(f))
	})
}

// brief returns the short form of a forecast.
func brief(f *predict.Forecast) string {
	var b strings.Builder
	if f.Now != nil {
		fmt.Fprintf(&b, "event %s, now %s\n", f.EventAt.Format(time.RFC3339), f.Now)
	}
	for _, a := range f.Assumptions[:len(f.Assumptions)-1] {
		fmt.Fprintf(&b, "assumes %s\n", a)
	}
	for _, d := range f.Depends {
		fmt.Fprintf(&b, "depends %s\n", d)
	}
	for _, m := range f.Timeline {
		possible := ""
		if m.Possible {
			possible = "possibly "
		}
		fmt.Fprintf(&b, "%-22s %s: %s%s\n", when(&m.Interval), strings.TrimPrefix(m.Subject.String(), "Pod "), possible, m.What)
	}
	for _, p := range f.Pods {
		r := p.Replacement
		fmt.Fprintf(&b, "%s %s: deleted %s, gone %s, %s %s", p.Name, p.Fate, when(p.DeletedAt), when(p.GoneAt), r.Kind, when(r.At))
		if r.Kind == predict.Created && when(r.At) != when(r.StartsAt) {
			fmt.Fprintf(&b, ", starts %s", when(r.StartsAt))
		}
		if r.Placement != placement.Unknown {
			fmt.Fprintf(&b, ", %s on %d", r.Placement, r.Nodes)
		}
		if r.Message != "" {
			fmt.Fprintf(&b, " (%s)", r.Message)
		}
		fmt.Fprintln(&b)
		for _, why := range p.Because {
			fmt.Fprintf(&b, "    %s\n", why)
		}
	}
	for _, w := range f.Workloads {
		fmt.Fprintf(&b, "%s/%s wants %d, loses %d of them, has %d elsewhere, outage %t, restored %s\n", w.Kind, w.Name, w.Wanted, w.Hit, w.Elsewhere, w.Outage, when(w.RestoredAt))
	}
	for _, n := range f.Never {
		fmt.Fprintf(&b, "never: %s\n", n)
	}
	for _, w := range f.Act {
		fmt.Fprintf(&b, "act: %s: %s (%s)\n", w.What, strings.Join(shell.Strings(w.Commands), "; "), w.Harm)
	}
	for _, o := range f.Options {
		fmt.Fprintf(&b, "option %s: %d gone %s, %d of %d restored %s, %d of %d stateful %s\n", o.Name, o.Gone, when(o.GoneAt), o.Restored, o.RestoredOf, when(o.RestoredAt), o.Stateful, o.StatefulOf, when(o.StatefulAt))
		for _, c := range o.Commands {
			fmt.Fprintf(&b, "    run %s\n", c)
		}
		for _, d := range o.Danger {
			fmt.Fprintf(&b, "    danger %s\n", d)
		}
	}
	return b.String()
}

func when(s *plan.Interval) string {
	switch {
	case s == nil:
		return "never"
	case s.To == s.From:
		return s.From.String()
	}
	return s.From.String() + ".." + s.To.String()
}
