package accuracy

import (
	"io/fs"
	"math/rand/v2"
	"strings"
)

var order = kind{
	name: "order",
	says: "the same files and objects in another order",
	goal: "the same report, byte for byte",
	change: func(p Play) (Files, string) {
		if p.Case.Files.altered() {
			return nil, "a bundle with a file that is not what its manifest says"
		}
		rnd := p.rnd()
		more := len(p.Case.Files) > 1
		out := p.Case.Files.each(func(f File) string {
			d, ok := parseDocument(f)
			if !ok || f.Name == manifestName {
				return f.Text
			}
			lists := d.lists()
			for _, l := range lists {
				items := l["items"].([]any)
				rnd.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
				more = more || len(items) > 1
			}
			if len(lists) == 0 {
				return f.Text
			}
			return d.text()
		})
		if !more {
			return nil, "one file without a list"
		}
		return resummed(out), ""
	},
	folder: func(out Files, rnd *rand.Rand) fs.FS { return shuffled{out.FS(), rnd} },
	judge: func(p Play, got Answer) Problem {
		want, err := p.Case.Base().JSON()
		if err != nil {
			return Problem{"no report", "", err.Error()}
		}
		is, err := got.JSON()
		if err != nil {
			return Problem{"no report", "", err.Error()}
		}
		if want == is {
			return Problem{}
		}
		if first(p.Case.Base()) != first(got) {
			return Problem{"another cause is first", first(got), "first is " + first(got) + ", it was " + first(p.Case.Base())}
		}
		was, now := difference(want, is)
		field, _, _ := strings.Cut(strings.TrimSpace(was), ":")
		return Problem{"the report differs", field, "want " + was + "\n       got  " + now}
	},
}

// difference returns the first lines in which two texts differ.
func difference(a, b string) (string, string) {
	x, y := lines(a), lines(b)
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i], y[i]
		}
	}
	return "the end", "the end"
}
