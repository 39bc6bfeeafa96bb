package report

import (
	"cmp"

	"github.com/nodetriage/nodetriage/answers/plan"
)

// writeWays writes ways past an obstacle, the one with the least risk first. On one screen the risk is part of its way, so that
// no command is shown without it.
func writeWays(p canvas, ways []plan.Way) {
	for i, w := range ways {
		name, says := "Fix", cmp.Or(w.What, "run")
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
