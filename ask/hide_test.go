package ask

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence/anonymize"
	"github.com/nodetriage/nodetriage/triage"
)

// Real names are not in any answer, and options still accept them.
func TestHideNames(t *testing.T) {
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer texts.Close()
	from := fromFiles(t)
	from.Texts = texts
	var names *anonymize.Names
	from.HideNames = func(n *anonymize.Names) error { names = n; return nil }

	d, err := Diagnose(t.Context(), from, DiagnoseOptions{Nodes: []string{"n3"}, Filter: &triage.Filter{Namespace: "shop"}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(d.Report)
	if err != nil || strings.Contains(string(out), `"n3"`) || strings.Contains(string(out), `"shop"`) {
		t.Errorf("%s %v", out, err)
	}
	n, err := Node(t.Context(), from, NodeOptions{Name: "n1"})
	if err != nil || n.Node.Name != names.Of("n1") || n.Node.Name == "n1" {
		t.Error(n, err)
	}
	c, err := Collect(t.Context(), from, CollectOptions{})
	if err != nil || c.Names != names || c.Snapshot.Node("n1") != nil {
		t.Error(c, err)
	}
}

// Names that cannot be stored, or are used already, end the question.
func TestHideNamesFails(t *testing.T) {
	from := fromFiles(t)
	full := errors.New("disk full")
	from.HideNames = func(*anonymize.Names) error { return full }
	if _, err := Diagnose(t.Context(), from, DiagnoseOptions{}); !errors.Is(err, full) {
		t.Error(err)
	}
	from.Source = Held{held(t)}
	if _, err := Diagnose(t.Context(), from, DiagnoseOptions{}); err == nil || !strings.HasPrefix(err.Error(), "names can only be hidden while evidence is read") {
		t.Error(err)
	}
}
