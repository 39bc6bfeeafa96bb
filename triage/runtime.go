package triage

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// runtimeUnit returns the unit of the container runtime on the finding's nodes if it is not containerd. It returns "" if it is
// unknown or there are several.
func (g *graph) runtimeUnit(f *Finding) shell.Text {
	var said strings.Builder
	said.WriteString(f.Summary + "\n")
	for _, e := range f.Evidence {
		said.WriteString(e.Locator + " " + e.Text + "\n")
	}
	for _, n := range g.nodesOf(f.Subjects) {
		said.WriteString(n.Node.Status.NodeInfo.ContainerRuntimeVersion + "\n")
	}
	text := strings.ToLower(said.String())
	if strings.Contains(text, "containerd") {
		return ""
	}
	crio, docker := strings.Contains(text, "crio") || strings.Contains(text, "cri-o"), dockerSaid.MatchString(text)
	switch {
	case crio && !docker:
		return "crio"
	case docker && !crio:
		return "docker"
	}
	return ""
}

var (
	dockerSaid    = lazyregexp.New(`\bdockerd?\b(?:\.service|://|\[)|/dockerd?\.sock\b`)
	unitOfCommand = lazyregexp.New(`\b((?:systemctl [a-z-]+(?: --now)?|journalctl(?: -[a-z]+)* -u) )containerd\b`)
)

// ofRuntime replaces the containerd unit in commands with the given unit.
func ofRuntime(unit shell.Text, commands []shell.Text) []shell.Text {
	if unit == "" {
		return commands
	}
	out := make([]shell.Text, len(commands))
	for i, c := range commands {
		out[i] = c.Replace(unitOfCommand, "${1}"+unit)
	}
	return out
}
