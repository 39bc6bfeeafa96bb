// Package snapshots reads the evidence of cases. It is apart from casetest so that the tests of what reads evidence can
// have cases too.
package snapshots

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Cluster reads cluster.yaml of the case as a file of the user's, without looking for messages. A file "at" says when it
// was taken.
func Cluster(t testing.TB, c *casetest.Case) *evidence.Snapshot {
	t.Helper()
	none := noSignatures(t)
	b := collect.NewBuilder(evidence.Source{Kind: "file", Name: "cluster.yaml"}, none)
	b.AddStream("cluster.yaml", bytes.NewReader(c.File("cluster.yaml")))
	if at := c.Text("at"); at != "" {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.TakenAt = when })
	}
	return b.Snapshot()
}

// noSignatures knows no message.
func noSignatures(t testing.TB) *signatures.Set {
	t.Helper()
	none, err := signatures.Read(os.DirFS(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	return none
}
