package triage

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// looks returns the symptom's checks that are useful here, with known names filled in, each after the commands that print its missing names.
// An explained symptom needs none.
func (g *graph) looks(symptom *catalog.Symptom, st *statement) []catalog.Check {
	if st.by != nil {
		return nil
	}
	var out []catalog.Check
	told := map[shell.Text]bool{}
	fill := filler(g.in.Snapshot, g.around, []*statement{st})
	here := scene{ground: g.groundOf([]evidence.Subject{st.subject}, textOf("", []*statement{st}))}
	for _, k := range symptom.Checks {
		if !suitsWords(k.Fit, st) {
			continue
		}
		k.Fit = catalog.Fit{}
		var there bool
		if k.Run, there = here.command(k.Run, k.Where); !there || !g.around.useful(k.Run, fill) {
			continue
		}
		k.Run, k.Expect = fill.wide(k.Run), fill.prose(k.Expect)
		for _, ask := range g.learn(k.Run, fill, here, told) {
			out = append(out, ask.check(k.Where))
		}
		k.Run, k.Where = k.Run.Fill(fill), here.place(k.Where)
		told[k.Run] = true
		out = append(out, k)
	}
	return out
}

// suitsWords reports whether the words of a statement fit a check of a symptom.
func suitsWords(f catalog.Fit, st *statement) bool {
	said := []*statement{st}
	return !tell(said, f.Unless) && (len(f.When) == 0 || tell(said, f.When))
}
