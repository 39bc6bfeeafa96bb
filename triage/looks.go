package triage

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// looks returns the symptom's checks that are useful here, with known names filled in, after the commands that print missing names.
// An explained symptom needs none.
func (g *graph) looks(symptom *catalog.Symptom, st *statement) []catalog.Check {
	if st.by != nil {
		return nil
	}
	var out, learn []catalog.Check
	told := map[shell.Text]bool{}
	fill := filler(g.in.Snapshot, g.around, []*statement{st})
	here := g.groundOf([]evidence.Subject{st.subject}, textOf("", []*statement{st}))
	for _, k := range symptom.Checks {
		var there bool
		if k.Run, there = here.command(k.Run, k.Where); !there || !g.around.useful(k.Run, fill) {
			continue
		}
		for _, ask := range g.around.learn(k.Run, fill, told) {
			learn = append(learn, catalog.Check{Run: ask.run, Where: k.Where, Expect: ask.tells + " of the commands below"})
		}
		k.Run, k.Where, k.Expect = k.Run.Fill(fill), here.place(k.Where), k.Expect.Fill(fill)
		out = append(out, k)
	}
	return append(learn, out...)
}
