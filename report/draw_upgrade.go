package report

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// drawUpgrade draws the plan of a pool upgrade: what to change first, what blocks it, and every step.
func drawUpgrade(v *upgradeView) g.Node {
	return g.Group{
		newline, drawHeadline(v.frame, v.Name, v.Facts),
		drawChange(v.First), drawStuck(v.Stuck), drawUpgradeLanes(v.Lanes), newline,
		drawSteps(v),
		g.Map(v.Lists, func(l listView) g.Node {
			return g.Group{h.H2(g.Text(l.Title)), items(l.Items), paragraph("dim", l.Left)}
		}), newline,
	}
}

// drawChange draws the change that avoids most problems.
func drawChange(c *upgrade.Change) g.Node {
	if c == nil {
		return nil
	}
	return g.Group{
		h.H2(g.Text("Before the upgrade")), paragraph("", plan.Join(c.Why, c.What)), commands(shell.Strings(c.Commands)),
		g.If(c.Harm != "", paragraph("dim", "Risk: "+c.Harm)),
		g.Map(c.Or, func(w plan.Way) g.Node { return g.Group{paragraph("", "or"), drawWay(w)} }),
	}
}

// drawWay draws one of several ways.
func drawWay(w plan.Way) g.Node {
	return g.Group{
		paragraph("", w.What), g.If(len(w.Commands) > 0, commands(shell.Strings(w.Commands))),
		g.If(w.Harm != "", paragraph("dim", "Risk: "+w.Harm)),
	}
}

func drawStuck(list []stuckView) g.Node {
	return titled("Where it gets stuck", len(list), g.Map(list, func(s stuckView) g.Node {
		return g.Group{h.Section(h.Class("caution"),
			h.P(h.Span(h.Class("mono"), g.Text(s.Node)), g.Text(" "+s.When+": "+s.Then)),
			h.Ul(g.Map(s.Pods, func(p heldView) g.Node { return h.Li(h.Span(h.Class("mono"), g.Text(p.Name)), items(p.Why)) })),
			paragraph("dim", s.PodsLeft),
		), newline}
	}))
}

func drawUpgradeLanes(v *lanesView) g.Node {
	if v == nil {
		return nil
	}
	return g.Group{
		headline("What happens to each node"),
		drawLanes(v.Width, v.Height, v.Bottom, v.Label, v.Ticks, v.Lanes, v.Now), newline,
		paragraph("note", "Dashed: the change comes somewhere in this time. "+v.Left),
	}
}

func drawSteps(v *upgradeView) g.Node {
	step := func(s stepView) g.Node {
		return row(tdOf("mono", s.Nodes), tdOf("nowrap", s.Begin), tdOf("nowrap", s.End), tdOf("says", strconv.Itoa(s.Moves)), td(strconv.Itoa(s.Waiting)))
	}
	return g.Group{
		headline("Steps"),
		table(g.Map(v.Steps, step), th("Nodes"), th("From"), th("Until"), th("Pods that move"), th("Without a place")),
		paragraph("dim", v.StepsLeft),
	}
}
