package triage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// A case is evidence and the changes that are listed before its faults.
func TestChangedBefore(t *testing.T) {
	cat, set := casetest.Builtin(t)
	casetest.Run(t, "testdata/before/*.txtar", func(t *testing.T, c *casetest.Case) {
		var data evidence.Data
		c.YAML(t, "evidence.yaml", &data)
		r := triage.Run(triage.Input{Snapshot: evidence.New(data), Catalog: cat, Signatures: set, Rulebook: rules.All()})
		var got strings.Builder
		for _, x := range r.ChangedBefore {
			fmt.Fprintf(&got, "%s %s: %s (%s), before %s\n", x.At.Format(time.RFC3339), x.Subject, x.What, x.Source, x.Before)
		}
		c.Want(t, "want", got.String())
	})
}
