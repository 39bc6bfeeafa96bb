package diff_test

import (
	"bytes"
	"testing"

	"github.com/nodetriage/nodetriage/answers/diff"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// A case is the evidence of two looks and their differences, on a terminal.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		d := diff.Compare(side(t, c, "before.yaml"), side(t, c, "after.yaml"), rules.All().Rules, nil)
		var got bytes.Buffer
		if err := report.Changes(&got, d, report.Style{Width: 100, Wide: true}); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", got.String())
	})
}

func side(t *testing.T, c *casetest.Case, name string) diff.Side {
	t.Helper()
	var data evidence.Data
	c.YAML(t, name, &data)
	cat, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	s := evidence.New(data)
	return diff.Side{Snapshot: s, Report: triage.Run(triage.Input{Snapshot: s, Catalog: cat, Signatures: set, Rulebook: rules.All()})}
}
