package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// namedParts are the components that the evidence of a finding names: its network plugins and its container runtime. Commands
// for others do not fit it.
type namedParts struct {
	plugins  []*components.Component
	runtimes []*components.Component
}

// runtime returns the container runtime; nil: unknown, or several.
func (x namedParts) runtime() *components.Component {
	if len(x.runtimes) != 1 {
		return nil
	}
	return x.runtimes[0]
}

// usualRuntime is the runtime of nodes that do not show theirs.
const usualRuntime = "containerd"

// runs reports whether a container runtime is one of those here, or the usual one if none is known.
func (x namedParts) runs(name string) bool {
	if len(x.runtimes) == 0 {
		return name == usualRuntime
	}
	return slices.ContainsFunc(x.runtimes, func(c *components.Component) bool { return c.Name == name })
}

// partsOf returns the parts that the evidence of the finding names, or else those of its nodes and pods.
func (g *graph) partsOf(f *Finding, group []*statement) namedParts {
	said := []string{f.Summary}
	for _, st := range group {
		said = append(said, st.subject.Name)
		for _, c := range st.claims {
			for _, e := range c.Evidence {
				said = append(said, e.Text) // not its locator, in which a reader may list all units
			}
		}
	}
	plugins := components.In(strings.Join(said, "\n"), components.Network)
	if len(plugins) == 0 {
		plugins = g.pluginsOn(f.Subjects)
	}
	return namedParts{plugins, g.runtimesOf(f)}
}

// pluginsOn returns the network plugins whose agents are among the pods of the nodes that were read.
func (g *graph) pluginsOn(subjects []evidence.Subject) []*components.Component {
	var out []*components.Component
	for _, n := range g.nodesOf(subjects) {
		for _, p := range g.in.Snapshot.PodsOn(n.Name) {
			if c := components.NetworkAgent(p.Name); c != nil && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// fits reports whether a text names no network plugin, or one that is here.
func (x namedParts) fits(text string) bool {
	other := components.In(choices.ReplaceAllString(text, ""), components.Network)
	if len(x.plugins) == 0 || len(other) == 0 {
		return true
	}
	return slices.ContainsFunc(other, x.has)
}

// has reports whether a network plugin is one of those here, or runs with one of them.
func (x namedParts) has(c *components.Component) bool {
	return slices.ContainsFunc(x.plugins, func(here *components.Component) bool { return components.Together(here, c) })
}

// choices matches the part of a command that selects the agents of several network plugins.
var choices = lazyregexp.New(`grep -E(i?)(?: -e)? '([a-z-]+(?:\|[a-z-]+){3,})'(?: -e '([a-z-]+(?:\|[a-z-]+)*)')?`)

// command returns a command for the parts that are named: of the network plugins that it lists, those that are here, and of the
// runtimes the one of the node. ok reports whether it is for this runtime.
func (x namedParts) command(command shell.Text) (out shell.Text, ok bool) {
	if m := choices.FindStringSubmatch(string(command)); m != nil && len(x.plugins) > 0 {
		list := strings.Split(strings.TrimSuffix(m[2]+"|"+m[3], "|"), "|")
		here := slices.DeleteFunc(slices.Clone(list), func(word string) bool {
			c := components.AgentOf(word)
			return c == nil || !x.has(c)
		})
		switch {
		case len(here) == 1:
			command = command.Replace(choices, shell.Format("grep {plugin}", here[0]))
		case len(here) > 0 && len(here) < len(list):
			command = command.Replace(choices, shell.Join("", "grep -E$1 '", shell.Format("{plugins}", here[0]), moreChoices(here[1:]), "'"))
		}
	}
	return ofRuntime(x.runtime(), command)
}

// moreChoices returns the words after the first one of a choice.
func moreChoices(list []string) shell.Text {
	var out shell.Text
	for _, word := range list {
		out += "|" + shell.Format("{plugin}", word)
	}
	return out
}

// commands returns the commands of a remedy for the parts that are named; none if one of them is for another runtime.
func (x namedParts) commands(list []shell.Text) []shell.Text {
	out := make([]shell.Text, 0, len(list))
	for _, c := range list {
		own, ok := x.command(c)
		if !ok {
			return nil
		}
		if !slices.Contains(out, own) {
			out = append(out, own)
		}
	}
	return out
}

// texts returns the texts with their commands for the parts that are named.
func (x namedParts) texts(list []shell.Text) []shell.Text {
	var out []shell.Text
	for _, t := range list {
		if own, ok := x.command(t); ok {
			out = append(out, own)
		}
	}
	return out
}

// fitsRemedy reports whether the title and the commands of a remedy name no other network plugin.
func (x namedParts) fitsRemedy(r catalog.Remedy) bool {
	return x.fits(r.Title) && x.fits(string(shell.Join("\n", r.Commands...)))
}

// scene is where the commands of a finding run, and what they are about.
type scene struct {
	ground
	parts namedParts
}

// command returns the command for the scene; ok reports whether the scene has it.
func (x scene) command(command shell.Text, place string) (out shell.Text, ok bool) {
	if out, ok = x.parts.command(command); !ok {
		return "", false
	}
	return x.ground.command(out, place)
}
