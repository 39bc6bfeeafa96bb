package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// sources says for each unknown name of a remedy where its value comes from, if no line for it precedes the command: an earlier
// command prints it, the check before the fix does, or a person chooses it.
type sources struct {
	fill   fill
	here   scene
	lines  []shell.Text // of the remedy, so far
	before []shell.Text // the commands of the check
}

// of marks the lines that print the unknown names of a command, or adds a comment.
func (s *sources) of(command shell.Text) {
	provider := catalog.ProviderOfCommand(command)
	names := s.fill.unknown(command)
	for _, name := range names {
		gap := shell.Gap(name)
		if slices.ContainsFunc(s.lines, func(c shell.Text) bool { return sourceOf(c, gap) }) {
			continue
		}
		ask := catalog.Ask(name, provider)
		s.add(gapsOf(names, ask), ask)
	}
}

// gapsOf returns those of the names that have one source.
func gapsOf(names []string, ask catalog.Asking) shell.Text {
	var out []shell.Text
	for _, name := range names {
		if gap := shell.Gap(name); slices.Contains(ask.Tells, name) && !slices.Contains(out, gap) {
			out = append(out, gap)
		}
	}
	return shell.Join(", ", out...)
}

// sourceOf reports whether a line says where the value of the name comes from.
func sourceOf(line, gap shell.Text) bool {
	return line.PrintsName() && strings.Contains(string(line), string(gap))
}

// add says where the values of names with one source come from.
func (s *sources) add(gap shell.Text, ask catalog.Asking) {
	run, there := s.here.command(s.fill.wide(ask.Run), ask.Where)
	run = run.Fill(s.fill)
	begins := func(c shell.Text) bool { return strings.HasPrefix(string(c), string(run)) }
	switch i := slices.IndexFunc(s.lines, begins); {
	case ask.Run == "" && ask.Which != "":
		s.lines = append(s.lines, "# choose "+chosen(gap, ask.Which))
	case run == "" || !there: // nothing is known about it
	case slices.ContainsFunc(s.before, begins):
		s.lines = append(s.lines, shell.CheckPrints+chosen(gap, ask.Which))
	case i >= 0:
		s.lines[i] = withSource(s.lines[i], gap, ask.Which)
	}
}

// withSource returns a command with the comment that it prints a name. It adds the name to those of an earlier comment.
func withSource(command, gap, which shell.Text) shell.Text {
	bare, comment := command.Unmarked()
	switch {
	case comment == "":
		return bare + " # prints " + chosen(gap, which)
	case command.PrintsName():
		return bare + comment.Replace(firstName, "prints "+gap+", <")
	}
	return command + "; prints " + chosen(gap, which)
}

// firstName matches where a comment begins to list the names that a command prints.
var firstName = lazyregexp.New(`prints <`)
