package report

import (
	"cmp"

	"github.com/nodetriage/nodetriage/answers/plan"
)

// writeWays writes what people can do, the way with the least risk first, after this label. On one screen the risk is part of its way, so that
// no command is shown without it.
func writeWays(p canvas, label string, ways []plan.Way) {
	for i, w := range ways {
		name, says := label, cmp.Or(w.What, "run")
		if i > 0 {
			name = "or"
		}
		if !p.wide() && w.Harm != "" {
			says += ". Risk: " + w.Harm
		}
		p.labelled(name, says)
		for _, c := range w.Commands {
			p.command(string(c))
		}
		if p.wide() {
			p.labelled("Risk", w.Harm)
		}
	}
}
