package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// failures are operations that messages show failing, and the commands that only repeat them or need what fails. The group of a command is what it
// is done to: the message names it too. A modprobe that failed is not one of them: agents try it in containers, where it may fail
// although the node can load the module.
var failures = []struct{ says, command *lazyregexp.Regexp }{
	{lazyregexp.New(`(?i)(?:fail|error|unable|cannot|could not|back-?off)[^\n]{0,200}\bpull|\bpull[^\n]{0,200}(?:fail|error|denied|refused|timed? ?out|not found)`),
		lazyregexp.New(`^(?:\S*/)?(?:crictl|docker|ctr|nerdctl|podman|k3s crictl|k3s ctr)\b.* pull (\S+)$`)},
	{lazyregexp.New(`(?i)the connection to the server [^\s:]+(?::(?:[0-79]\d*|8[1-9]\d*))? was refused|unable to connect to the server`), lazyregexp.New(`^kubectl ()`)},
	{lazyregexp.New(`(?i)failed to run CRI service|unknown service runtime\.v1|containerd\.sock: connect: (?:connection refused|no such file)`),
		lazyregexp.New(`^(?:\S*/)?crictl ()`)},
}

// repeats reports whether a command only repeats what the evidence of the finding shows failing.
func (x *adviser) repeats(command shell.Text) bool {
	run, _ := command.Unmarked()
	for _, f := range failures {
		m := f.command.FindStringSubmatch(string(run))
		if m == nil || !x.failed(f.says) {
			continue
		}
		if unknown := strings.HasPrefix(m[1], "<"); unknown || strings.Contains(x.text, strings.ToLower(m[1])) {
			return true
		}
	}
	return false
}

// failed reports whether the text of the finding shows a failure. The text can have thousands of events, and each command asks.
func (x *adviser) failed(says *lazyregexp.Regexp) bool {
	shown, known := x.failures[says]
	if !known {
		shown = says.MatchString(x.text)
		if x.failures == nil {
			x.failures = map[*lazyregexp.Regexp]bool{}
		}
		x.failures[says] = shown
	}
	return shown
}

// beginsWithRepeat reports whether a remedy only repeats what failed: nothing changes before its first command that is no look.
func (x *adviser) beginsWithRepeat(r catalog.Remedy) bool {
	i := slices.IndexFunc(r.Commands, func(c shell.Text) bool { return !c.PrintsName() })
	return i >= 0 && x.repeats(r.Commands[i])
}
