package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules"
)

// judgement is the result of one ending or doubt for the messages of some evidence.
type judgement struct {
	asked int
	lines []string // of the messages for which it holds
}

// eachMessage calls ask for every message of the evidence.
func eachMessage(in triage.Input, ask func(*triage.Pass, *evidence.Match)) {
	triage.Apply(in, &triage.Rule{ID: "asks", Doc: "asks of every message what the test wants to know", Check: func(p *triage.Pass) {
		for _, m := range p.Snapshot.Matches() {
			ask(p, m)
		}
	}})
}

func endedBy(in triage.Input, e *triage.Ending) (j judgement) {
	in.Rulebook = triage.Rulebook{Endings: rules.All().Endings} // some endings depend on what resolved another message
	eachMessage(in, func(p *triage.Pass, m *evidence.Match) {
		f := p.FailureOf(m)
		if f.Says == "" || !e.IsFor(f) {
			return
		}
		j.asked++
		if end, ended := e.Ended(p, f); ended {
			j.lines = append(j.lines, fmt.Sprintf("%s on %s is over: %s", f.Says, orNothing(m.Subject), end.By))
		}
	})
	return j
}

func doubtedBy(in triage.Input, d *triage.Doubt) (j judgement) {
	in.Rulebook = triage.Rulebook{Doubts: []*triage.Doubt{d}}
	eachMessage(in, func(p *triage.Pass, m *evidence.Match) {
		f := p.FailureOf(m)
		if f.Says == "" {
			return
		}
		j.asked++
		if len(p.DoubtsOf(m)) > 0 {
			j.lines = append(j.lines, fmt.Sprintf("%s on %s is %s at most", f.Says, orNothing(m.Subject), d.AtMost))
		}
	})
	return j
}

func orNothing(s evidence.Subject) string {
	if s.IsZero() {
		return "nothing named"
	}
	return s.String()
}

// A case of an ending is triage/rules/endings/testdata/<its file>/<name>.txtar, with a case.yaml as for rules: found if it resolves
// a message, clear if it applies and resolves none. Each ending has both.
func TestEndings(t *testing.T) {
	for _, e := range rules.All().Endings {
		t.Run(e.ID, func(t *testing.T) {
			t.Parallel()
			timelineCases(t, "endings", e.ID, e.Reads, func(in triage.Input) judgement { return endedBy(in, e) })
		})
	}
}

// The cases of doubts are in triage/rules/doubts/testdata and have the same form.
func TestDoubts(t *testing.T) {
	for _, d := range rules.All().Doubts {
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			timelineCases(t, "doubts", d.ID, d.Reads, func(in triage.Input) judgement { return doubtedBy(in, d) })
		})
	}
}

func timelineCases(t *testing.T, folder, id string, reads []evidence.Kind, judge func(triage.Input) judgement) {
	in := knowledge(t)
	kinds := map[string]bool{}
	place := filepath.Join(folder, "testdata", strings.ReplaceAll(id, "-", "_"))
	casetest.Run(t, filepath.Join(place, "*.txtar"), func(t *testing.T, c *casetest.Case) {
		var f caseFile
		c.YAML(t, "case.yaml", &f)
		in := in
		in.Snapshot = snapshot(t, c, &f)
		j := judge(in)
		switch {
		case f.Kind == "found" && len(j.lines) > 0, f.Kind == "clear" && len(j.lines) == 0 && j.asked > 0:
			kinds[f.Kind] = true
		default:
			t.Errorf("the case is of kind %q; of %d messages it holds for\n%s", f.Kind, j.asked, strings.Join(j.lines, "\n"))
		}
		c.Want(t, "want", strings.Join(append(j.lines, ""), "\n"))
		in.Snapshot = declared(in.Snapshot, &triage.Rule{Needs: []evidence.Kind{evidence.Messages}, Reads: reads})
		if without := judge(in); !slices.Equal(without.lines, j.lines) {
			t.Errorf("it reads more than it declares: with nothing but %v it holds for\n%s", reads, strings.Join(without.lines, "\n"))
		}
	})
	for _, kind := range []string{"found", "clear"} {
		if !kinds[kind] {
			t.Errorf("no case of kind %s in triage/rules/%s", kind, place)
		}
	}
}

var idOfEntry = regexp.MustCompile(`= &triage\.(?:Ending|Doubt)\{\s+ID:\s+"([a-z-]+)"`)

// An ending or a doubt that stands in a file, or has cases, is in the list of its folder: otherwise it would never be asked.
func TestEndingsAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, e := range rules.All().Endings {
		listed["endings/"+e.ID] = true
	}
	for _, d := range rules.All().Doubts {
		listed["doubts/"+d.ID] = true
	}
	for _, folder := range []string{"endings", "doubts"} {
		cases, err := filepath.Glob(filepath.Join(folder, "testdata", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range cases {
			if id := strings.ReplaceAll(filepath.Base(place), "_", "-"); !listed[folder+"/"+id] {
				t.Errorf("%s has cases of %s, which is not in %s/all.go", place, id, folder)
			}
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range idOfEntry.FindAllSubmatch(source, -1) {
				if id := string(m[1]); !listed[folder+"/"+id] {
					t.Errorf("%s has %s, which is not in %s/all.go", name, id, folder)
				}
			}
		}
	}
}

// Endings and doubts have unique ids and docs, and name existing mechanisms.
func TestEndingsAreSound(t *testing.T) {
	known := map[string]bool{}
	for _, m := range catalog.Mechanisms() {
		known[m.ID] = true
	}
	book := rules.All()
	ids := map[string]bool{}
	check := func(folder, id, doc string, reads []evidence.Kind) {
		if _, err := os.Stat(filepath.Join(folder, strings.ReplaceAll(id, "-", "_")+".go")); err != nil {
			t.Errorf("%s does not stand in a file of its name: %v", id, err)
		}
		if ids[id] || id == "" || len(doc) < 20 {
			t.Errorf("%q is there twice, or does not say what it is: %q", id, doc)
		}
		ids[id] = true
		for _, k := range reads {
			if k.Row() == nil {
				t.Errorf("%s reads %q, which is no kind of evidence", id, k)
			}
		}
	}
	for _, e := range book.Endings {
		check("endings", e.ID, e.Doc, e.Reads)
		for _, m := range e.Ends {
			if !known[m] {
				t.Errorf("%s ends failures of %q, which is no mechanism", e.ID, m)
			}
		}
	}
	for _, d := range book.Doubts {
		check("doubts", d.ID, d.Doc, d.Reads)
	}
}
