package triage

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// runtimesOf returns the container runtimes on the finding's nodes: the one that they report, or those that the evidence names.
// Docker's own lines name containerd too.
func (g *graph) runtimesOf(f *Finding) []*components.Component {
	if c := reportedRuntime(g.nodesOf(f.Subjects)); c != nil {
		return []*components.Component{c}
	}
	var said strings.Builder
	said.WriteString(f.Summary + "\n")
	for _, e := range f.Evidence {
		said.WriteString(e.Locator + " " + e.Text + "\n")
	}
	return components.In(said.String(), components.Runtime)
}

// reportedRuntime returns the runtime that all nodes report; nil: none or several.
func reportedRuntime(nodes []*evidence.Node) *components.Component {
	var out *components.Component
	for _, n := range nodes {
		c := components.OfVersion(n.Node.Status.NodeInfo.ContainerRuntimeVersion)
		if c == nil || out != nil && out != c {
			return nil
		}
		out = c
	}
	return out
}

// runtimeWords are the expressions that rewrite commands for one runtime.
type runtimeWords struct {
	own    *lazyregexp.Regexp // a list has the runtime
	others *lazyregexp.Regexp // the other runtimes in a list
	swaps  []swap             // what a command for containerd has instead
	alien  *lazyregexp.Regexp // a part of a command that is only of another runtime
}

// swap replaces a part of a command until none is left.
type swap struct {
	from *lazyregexp.Regexp
	to   shell.Text
}

// ofContainerd are the parts of a command that name containerd's unit, process, folder and socket.
var (
	unitOfContainerd  = lazyregexp.New(`\b((?:systemctl|journalctl) [^|;&>$]*?)\bcontainerd\b`)
	pidOfContainerd   = lazyregexp.New(`\b(pidof|pgrep -o|pkill -[A-Z]+ -x) containerd\b`)
	anyProcess        = lazyregexp.New(`-C containerd,crio,dockerd\b`)
	storeOfContainerd = lazyregexp.New(`/var/lib/containerd\b`)
	sockOfContainerd  = lazyregexp.New(`/run/containerd/containerd\.sock\b`)
)

// A list of units, folders or sockets has a space before each item, and a command with a runtime's own file stands between
// semicolons.
const (
	listOfContainerd = `containerd|/var/lib/containerd|/run/containerd/containerd\.sock`
	listOfCRIO       = `crio|/var/lib/containers|/run/crio/crio\.sock`
	listOfDocker     = `docker|/var/lib/docker|/run/cri-dockerd\.sock`
	onlyContainerd   = `/etc/containerd/|\bcontainerd (?:config|--version)|\bctr `
	onlyCRIO         = `/etc/crio/|\bcrio (?:config|--version)`
	onlyDocker       = `/etc/docker/|\bdocker info\b`
)

var wordsOfRuntime = map[string]runtimeWords{
	"containerd": {own: lazyregexp.New(`(?: -u)? (?:` + listOfContainerd + `)( |$)`), others: lazyregexp.New(`(?: -u)? (?:` + listOfCRIO + `|` + listOfDocker + `)( |$)`), alien: lazyregexp.New(`(?:^|; )[^;]*(?:` + onlyCRIO + `|` + onlyDocker + `)[^;]*`), swaps: []swap{{anyProcess, "-C containerd"}}},
	"crio": {own: lazyregexp.New(`(?: -u)? (?:` + listOfCRIO + `)( |$)`), others: lazyregexp.New(`(?: -u)? (?:` + listOfContainerd + `|` + listOfDocker + `)( |$)`), alien: lazyregexp.New(`(?:^|; )[^;]*(?:` + onlyContainerd + `|` + onlyDocker + `)[^;]*`), swaps: []swap{
		{unitOfContainerd, "${1}crio"}, {pidOfContainerd, "${1} crio"}, {anyProcess, "-C crio"}, {storeOfContainerd, "/var/lib/containers"}, {sockOfContainerd, "/run/crio/crio.sock"},
	}},
	"docker": {own: lazyregexp.New(`(?: -u)? (?:` + listOfDocker + `)( |$)`), others: lazyregexp.New(`(?: -u)? (?:` + listOfContainerd + `|` + listOfCRIO + `)( |$)`), alien: lazyregexp.New(`(?:^|; )[^;]*(?:` + onlyContainerd + `|` + onlyCRIO + `)[^;]*`), swaps: []swap{
		{unitOfContainerd, "${1}docker"}, {pidOfContainerd, "${1} dockerd"}, {anyProcess, "-C dockerd"}, {storeOfContainerd, "/var/lib/docker"}, {sockOfContainerd, "/run/cri-dockerd.sock"},
		{lazyregexp.New(`((?:^|[;|&(]) ?)crictl rmi --prune\b`), "${1}docker image prune -a"},
		{lazyregexp.New(`((?:^|[;|&(]) ?)crictl ps( -a)? --name `), "${1}docker ps${2} --filter name="},
		{lazyregexp.New(`((?:^|[;|&(]) ?)crictl (version|info|ps|logs|images|pull|inspect|rmi)\b`), "${1}docker ${2}"},
	}},
}

// leadingMark matches what a removed part leaves at the start of a command.
var leadingMark = lazyregexp.New(`^; `)

// ofRuntime returns the command for a runtime; nil: any. A command that lists all runtimes keeps this one. ok reports whether there
// is such a command.
func ofRuntime(c *components.Component, command shell.Text) (out shell.Text, ok bool) {
	if c == nil {
		return command, true
	}
	w, known := wordsOfRuntime[c.Name]
	if !known {
		return command, true
	}
	out = command.Replace(w.alien, "").Replace(leadingMark, "")
	if out == "" {
		return "", false
	}
	if w.own.MatchString(string(out)) {
		out = repeated(out, swap{w.others, "${1}"})
	}
	for _, s := range w.swaps {
		out = repeated(out, s)
	}
	return out, true
}

// repeated replaces until nothing changes: matches may overlap.
func repeated(text shell.Text, s swap) shell.Text {
	for {
		next := text.Replace(s.from, s.to)
		if next == text {
			return text
		}
		text = next
	}
}
