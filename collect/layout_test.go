package collect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

func builtin(t testing.TB) *signatures.Set {
	t.Helper()
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// testdata/layouts holds one small dump per tool, written by hand after the layout in the tool's source. The file "want" lists the
// expected evidence.
func TestLayouts(t *testing.T) {
	set := builtin(t)
	casetest.Run(t, "testdata/layouts/*.txtar", func(t *testing.T, c *casetest.Case) {
		files, err := txtar.FS(&txtar.Archive{Files: c.Files("want")})
		if err != nil {
			t.Fatal(err)
		}
		b := collect.NewBuilder(evidence.Source{Kind: "folder"}, set)
		if err := b.AddFS(files); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", outline(b.Snapshot()))
	})
}

// outline summarizes a Snapshot in a few lines.
func outline(s *evidence.Snapshot) string {
	d := s.Data()
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	if d.Server.Version != "" {
		line("server %s", d.Server.Version)
	}
	if !d.TakenAt.IsZero() {
		line("taken at %s", d.TakenAt.Format("2006-01-02T15:04:05Z"))
	}
	var covered []string
	for kind, c := range d.Coverage {
		if c != evidence.NotRead && kind.OfAPI() { // other kinds are listed below
			covered = append(covered, string(kind)+" "+c.String())
		}
	}
	slices.Sort(covered)
	for _, c := range covered {
		line("%s", c)
	}
	for _, n := range d.Nodes {
		line("node %s ready=%s", n.Name, n.Ready())
	}
	for _, p := range d.Pods {
		line("pod %s on %s: %s", p.Key(), p.Node, p.Status)
	}
	for _, e := range d.Events {
		line("event %s %s", e.Object, e.Reason)
	}
	for _, w := range d.Workloads {
		line("workload %s %d/%d", w.Subject(), w.Ready, w.Replicas)
	}
	for _, k := range d.Kubelets {
		line("kubelet %s healthz=%q config=%d", k.Node, k.Healthz, len(k.Config))
	}
	for _, r := range d.NodeReports {
		line("report of %q from %s", r.Node, r.Source)
	}
	for _, r := range d.CloudResources {
		line("cloud %s %s %s %s", r.Item().Type, r.Item().Name, r.Item().State, r.Item().Power)
	}
	var texts []string
	for _, m := range d.Matches {
		if m.Kind == "" || m.Kind == evidence.TextLog {
			texts = append(texts, fmt.Sprintf("text of %s: %s %s", m.Subject, m.Ref.Source, m.Ref.Locator))
		}
	}
	slices.Sort(texts)
	for _, t := range slices.Compact(texts) {
		line("%s", t)
	}
	for _, g := range d.Gaps {
		line("gap %s: %s", g.What, g.Why)
	}
	return out.String()
}
