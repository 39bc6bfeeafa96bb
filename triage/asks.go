package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// lesson is a command that prints values of names, with the names and the rule that selects the value.
type lesson struct {
	run, tells shell.Text
	where      string
}

// learn returns the commands that print the unknown names of a command. told holds the commands that are already listed, and the
// names that one of them prints by its comment.
func (g *graph) learn(command shell.Text, f fill, here scene, told map[shell.Text]bool) []lesson {
	var out []lesson
	of := catalog.ProviderOfCommand(command)
	names := f.unknown(command)
	for _, name := range names {
		ask := catalog.Ask(name, of)
		run, there := here.command(f.wide(ask.Run), ask.Where)
		shows := strings.Contains(string(command), string(run)) || printed(told, run.Fill(f))
		if run == "" || !there || shows || told[shell.Gap(name)] {
			continue
		}
		told[run.Fill(f)] = true
		out = append(append(out, g.learn(run, f, here, told)...), lesson{run.Fill(f), printedBy(ask.Run, names, of), here.place(ask.Where)})
	}
	return out
}

// printedBy returns those of the names that the same command prints, with the rule that selects their values.
func printedBy(run shell.Text, names []string, of *catalog.Provider) shell.Text {
	var out []shell.Text
	var which shell.Text
	for _, name := range names {
		ask := catalog.Ask(name, of)
		if gap := shell.Gap(name); ask.Run == run && !slices.Contains(out, gap) {
			out, which = append(out, gap), ask.Which
		}
	}
	return chosen(shell.Join(", ", out...), which)
}

// chosen adds the rule that selects the values of names.
func chosen(names, which shell.Text) shell.Text {
	if which == "" {
		return names
	}
	return names + ": " + which
}

// printed reports whether one of the commands prints what this one prints.
func printed(told map[shell.Text]bool, run shell.Text) bool {
	for other := range told {
		if strings.HasPrefix(string(other), string(run)) {
			return true
		}
	}
	return false
}

// unknown returns the names of a command that the reader has to type.
func (f fill) unknown(command shell.Text) []string { return command.Fill(f).Open().Places() }

// runs returns the commands of checks, without comments.
func runs(checks []catalog.Check) []shell.Text {
	out := make([]shell.Text, 0, len(checks))
	for _, c := range checks {
		run, _ := c.Run.Unmarked()
		out = append(out, run)
	}
	return out
}

// commands returns the commands of a remedy that are useful here, filled in, each after the commands that print its missing
// names and are not among those before.
func (g *graph) commands(r catalog.Remedy, f fill, here scene, before []shell.Text) []shell.Text {
	told := map[shell.Text]bool{}
	for _, c := range before {
		told[c] = true
	}
	out := []shell.Text{}
	for _, c := range r.Commands {
		if !g.around.useful(c, f) || c.Fill(nil).PrintsName() && len(f.unknown(c)) == 0 {
			continue
		}
		c = f.wide(c)
		bare, _ := c.Unmarked()
		for _, l := range g.learn(bare, f, here, told) {
			out = append(out, l.command(r.Where))
		}
		s := sources{fill: f, here: here, lines: out, before: before}
		s.of(bare)
		out = append(s.lines, c.Fill(f))
		told[c.Fill(f)] = true
		if c.Fill(nil).PrintsName() {
			for _, name := range f.unknown(c) {
				told[shell.Gap(name)] = true
			}
		}
	}
	return out
}

// command returns the command with the name that it prints, and with its place, if that is not the given one.
func (l lesson) command(place string) shell.Text {
	if l.where != place {
		return l.run + shell.Format(" # on: {place}; prints ", l.where) + l.tells
	}
	return l.run + " # prints " + l.tells
}

// check returns the command as a check before one that runs at the given place.
func (l lesson) check(place string) catalog.Check {
	return catalog.Check{Run: l.command(place), Where: l.where, Expect: "the value of " + l.tells}
}
