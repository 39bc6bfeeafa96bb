package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// adviser chooses what a cause's page advises for one finding, in these steps:
//
//	select  the platform, the variant, the error and what the remedy needs must fit (suits, applies, needs.go, fit.go)
//	order   the least harmful first; among equals what fits the evidence best (fitRank)
//	adapt   to the platform, the components and the cloud that were found (platform.go, named_parts.go, cloud/advice)
//	ask     commands that print names which the evidence does not have (learn, asks.go)
//	fill    the names that it has: of subjects, in captures and lines, of machines (fill.go, fill_lines.go, surroundings.go)
type adviser struct {
	*graph
	finding  *Finding
	group    []*statement
	fill     fill
	here     scene
	of       advice.Cloud
	variants []string                    // of the cause
	errors   []logline.Kind              // that the evidence shows, see errorsOf
	text     string                      // the summary and the evidence, in lower case
	failures map[*lazyregexp.Regexp]bool // whether the text shows them, see failed
	before   []shell.Text                // the commands of the first check, which a screen shows with the first remedy
}

// advise adds the checks, remedies and cautions of the cause's page that apply to this cluster, with known names filled in.
func (g *graph) advise(f *Finding, cause *catalog.Cause, group []*statement, fill fill, of advice.Cloud) {
	text := textOf(f.Summary, group)
	here := scene{g.groundOf(f.Subjects, text), g.partsOf(f, group)}
	x := &adviser{graph: g, finding: f, group: group, fill: fill, here: here, of: of,
		variants: variantsOf(cause, group), errors: errorsOf(cause, group), text: text}
	f.Confirm = x.checks(cause.Confirm)
	f.Remedies = x.remedies(cause.Remedies)
	f.Verify, f.Cautions = fill.all(here.parts.texts(x.notes(cause.Verify))), fill.all(x.notes(cause.Cautions))
}

// checks returns the checks that apply here, each after the commands that print the names it needs.
func (x *adviser) checks(list []catalog.Check) []catalog.Check {
	out := make([]catalog.Check, 0, len(list))
	for _, c := range inOrder(list, func(c catalog.Check) int { return x.fitRank(c.Fit) }) {
		run, applies := x.commandOf(c)
		if !applies {
			continue
		}
		expect, _ := x.relevant(c.Expect)
		c.Run, c.Expect, c.Fit = x.fill.wide(run), x.fill.prose(expect), catalog.Fit{}
		for _, l := range x.learn(c.Run, x.fill, x.here, map[shell.Text]bool{}) {
			out = append(out, l.check(c.Where))
		}
		c.Run, c.Where = c.Run.Fill(x.fill), x.here.place(c.Where)
		out = append(out, c)
		if len(x.before) == 0 && x.finding.Certainty != Certain {
			x.before = runs(out)
		}
	}
	return out
}

// commandOf returns the command of a check in the form for this node. It returns false if the check does not apply.
func (x *adviser) commandOf(c catalog.Check) (run shell.Text, applies bool) {
	if !x.suits(c.Fit) || !x.here.parts.fits(string(c.Run)) {
		return "", false
	}
	run, applies = x.here.command(c.Run, c.Where)
	if !applies || x.around.managed && c.Where == catalog.ControlPlane {
		return "", false
	}
	_, here := x.relevant(c.Expect)
	return run, here && x.around.useful(run, x.fill) && !x.repeats(run.Fill(x.fill)) && !x.answered(c, run)
}

// remedies returns the remedies that apply here, the least harmful first.
func (x *adviser) remedies(list []catalog.Remedy) []catalog.Remedy {
	var order []orderedRemedy
	asked := false
	for _, r := range inOrder(list, x.fit) {
		switch {
		case !x.applies(r):
		case x.around.managed && r.NeedsControlPlane():
			if r.Where == catalog.ControlPlane && !asked {
				order = append(order, orderedRemedy{askProvider, x.fit(r), true})
				asked = true
			}
		default:
			if o, some := x.adapted(r); some {
				order = append(order, o)
			}
		}
	}
	return leastHarmful(order)
}

// applies reports whether a remedy is for this finding and this cluster.
func (x *adviser) applies(r catalog.Remedy) bool {
	switch {
	case !x.suits(r.Fit), !x.here.parts.fitsRemedy(r):
		return false
	case r.For != "" && x.outOn(r.For, x.finding.Subjects), x.misses(r.Needs, x.finding.Subjects, x.fill):
		return false
	case slices.ContainsFunc(r.Commands, drains) && x.cannotDrain(x.fill["node"]): // its other steps are safe only after the drain
		return false
	}
	return true
}

// adapted returns a remedy with the commands for this node and this cloud. It returns false if nothing of it is left.
func (x *adviser) adapted(r catalog.Remedy) (out orderedRemedy, some bool) {
	bare, acts := len(r.Commands) == 0, x.around.canAct(r, x.fill)
	if !acts {
		r.Commands = nil
	}
	own := x.here.parts.commands(inCloud(x.of, x.fill.instead(r)))
	if len(own) == 0 && len(r.Commands) > 0 {
		return orderedRemedy{}, false
	}
	r.Commands = x.here.remedy(own, r)
	acts = acts && (len(r.Commands) > 0 || bare)
	r.Where = x.here.place(r.Where)
	if len(r.Commands) == 0 {
		r.Where = ""
	}
	r.Commands = x.commands(r, x.fill, x.here, x.before)
	title, here := shell.Keep(r.Title, x.concernsHere)
	switch {
	case x.beginsWithRepeat(r), !here && !x.chosen(r):
		return orderedRemedy{}, false
	case here:
		r.Title = title
	}
	fit := x.fit(r)
	r.Said, r.Needs, r.Instead, r.Fit = nil, nil, nil, catalog.Fit{} // fields that only select the remedy
	return orderedRemedy{r, fit, acts}, true
}

// fit returns a number that is lower for a remedy that fits better: its words, its error or its variant are in the evidence of the
// finding, or the state that it needs. Remedies for other variants have the highest.
func (x *adviser) fit(r catalog.Remedy) int {
	if x.said(r.Said) || x.proves(r.Needs) {
		return proven
	}
	return x.fitRank(r.Fit)
}

// said reports whether the finding or its evidence contains one of the words, which are in lower case.
func (x *adviser) said(words []string) bool {
	return hasOne(x.finding.Summary, words) || tell(x.group, words)
}

// askProvider replaces remedies on a control plane that the provider manages.
var askProvider = catalog.Remedy{
	Title:    "The provider runs the control plane of this cluster. Check that the network path to it is open, then open a support ticket with: cluster ID, times (UTC), these messages with their request IDs, and from where they were seen",
	Commands: []shell.Text{"nodetriage collect -o bundle.tar.gz"}, Where: "workstation", Risk: "none",
}

// inCloud translates the commands to the tool of the cloud, each once.
func inCloud(of advice.Cloud, commands []shell.Text) []shell.Text {
	out := make([]shell.Text, 0, len(commands))
	for _, c := range commands {
		if own := of.Translate(c); !slices.Contains(out, own) {
			out = append(out, own)
		}
	}
	return out
}
