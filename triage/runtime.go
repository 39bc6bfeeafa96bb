package triage

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// runtimeUnit is the unit of the container runtime of the finding's nodes, where it is another than containerd; "" if that is not told
// or several are.
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

// ofRuntime names the unit in the commands that manage the runtime's.
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
