package accuracy

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// A report about a node, made after everything was judged once, is that of a run for the node.
func TestReportsOfOneJudgement(t *testing.T) {
	w := sharedWorld(t)
	problems, compared := make([]string, len(w.Cases)), make([]int, len(w.Cases))
	parallel(len(w.Cases), func(i int) {
		if i%4 == 0 { // each run takes a while
			compared[i], problems[i] = sameReports(w.Engine, w.Cases[i])
		}
	})
	all := 0
	for i, p := range problems {
		all += compared[i]
		if p != "" {
			t.Errorf("%s: %s", w.Cases[i].Name, p)
		}
	}
	if all < 100 {
		t.Errorf("only %d reports were compared", all)
	}
}

func sameReports(e *Engine, c *Case) (compared int, problem string) {
	b := collect.NewBuilder(evidence.Source{Kind: "folder", Name: "case"}, e.signatures)
	if err := b.AddFS(c.Files.FS()); err != nil {
		return 0, "" // whether it can be read is tested elsewhere
	}
	s := b.Snapshot()
	in := triage.Input{Snapshot: s, Catalog: e.catalog, Signatures: e.signatures, Rulebook: rules.All(), Now: s.TakenAt()}
	judged := triage.Judge(in)
	for _, n := range s.Nodes() {
		if n.Name == "" {
			continue
		}
		one := in
		one.Nodes = []string{n.Name}
		want, errWant := json.Marshal(triage.Run(one))
		got, errGot := json.Marshal(judged.Report(n.Name))
		compared++
		if errWant != nil || errGot != nil || string(got) != string(want) {
			return compared, fmt.Sprintf("the report about %s is %s, want %s", n.Name, got, want)
		}
	}
	return compared, ""
}
