//go:build linux

package story

import (
	"testing"

	"github.com/nodetriage/nodetriage/lab"
)

// one in so many stored looks is evaluated again; make stories evaluates all.
const of = 60

// The stored stories get answers at least as good as when they were stored.
func TestKept(t *testing.T) {
	t.Parallel()
	program, err := lab.BuildOwn("../../cmd/nodetriage", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"testdata/kept", "testdata/relapses"} {
		judgedIn(t, program, dir)
	}
}

// judgedIn evaluates some of the stored looks of one folder.
func judgedIn(t *testing.T, program, dir string) {
	t.Helper()
	folder, done, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	all, err := Load(folder)
	if err != nil || len(all) == 0 {
		t.Fatalf("%d stories are kept, %v", len(all), err)
	}
	n := 0
	for _, p := range all {
		for _, l := range p.Looks {
			if n++; n%of == 0 {
				judgedAgain(t, p, l, program, folder)
			}
		}
	}
}

func judgedAgain(t *testing.T, p *Played, l *Look, program, folder string) {
	t.Helper()
	before := map[Way]Mark{}
	for _, way := range Ways[1:] {
		if _, asked := l.Answers[way]; asked {
			before[way] = Judge(p.Faults, l, way)
		}
	}
	p.Replay(t.Context(), program, folder, l)
	for way, was := range before {
		if now := Judge(p.Faults, l, way); now.Bad() && !was.Bad() {
			t.Errorf("%s, look %d, %s: %s, it was %s: %+v", p.Story.Name, l.Number, way, now, was, l.Answers[way].Findings)
		}
	}
	for way, answers := range l.Others {
		for node, a := range answers {
			if now := JudgeOther(a); now.Bad() {
				t.Errorf("%s, look %d, %s, node %s without a fault: %s: %+v", p.Story.Name, l.Number, way, node, now, a.Findings)
			}
		}
	}
}
