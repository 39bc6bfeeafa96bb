package messages

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// componentOf returns the speaker of a line, or its topic if the log header does not name the speaker.
func componentOf(l *evidence.Line) logline.Speaker {
	if _, known := componentFamilies[l.Speaker]; known {
		return l.Speaker
	}
	if l.Speaker == logline.Application || l.Speaker == logline.Object {
		return logline.Unknown
	}
	return logline.TopicOf(l.Ref.Text)
}

// busyComponents log errors of pods and containers all the time: only the exit of the process itself counts.
var busyComponents = map[logline.Speaker]bool{
	logline.Kubelet: true, logline.Containerd: true, logline.CRIO: true, logline.Docker: true, logline.Runc: true, logline.Controllers: true, logline.APIServer: true, logline.Kernel: true, logline.Distro: true,
}

// familyOf returns the cause of a line, or "". It accepts the exit of a process, the last error of a log, or an error of a known
// kind.
func familyOf(l *evidence.Line) string {
	if isHarmless(l) {
		return ""
	}
	component := componentOf(l)
	f, known := componentFamilies[component]
	kind := logline.KindOf(l.Ref.Text)
	switch {
	case !known:
		return ""
	case component == logline.Cloud && l.Channel == evidence.CloudDocument: // the fields of the document show what failed
		return ""
	case l.Gravity == logline.Error && busyComponents[component]:
		if repeatedToTheEnd(l) {
			return f.byKind[kind]
		}
		return ""
	case kind == "permission" && ofTool(l): // a tool without permission says nothing about the server
		return ""
	case kind == "" && l.Gravity == logline.Error && l.After > 2:
		return ""
	case component == logline.Bootstrap && logline.Decides(l.Ref.Text) < 0: // the tool gives the reason for its exit in other lines
		return f.byKind[kind]
	}
	return cmp.Or(f.byKind[kind], f.other)
}

// isHarmless reports whether a line is no error of its component: it is mild, by its gravity or the level that it names, or it
// describes a step whose failure does not matter.
//   - A failed ExecStartPre step matters only if the start needs it, and then the state of the unit shows it.
//   - D-Bus itself works if it cannot start a requested service.
//   - A runtime that reports how the start of a container failed works.
func isHarmless(l *evidence.Line) bool {
	text := l.Ref.Text
	if startedContainer.MatchString(text) {
		return true
	}
	if l.Gravity < logline.Error || strings.Contains(text, " ExecStartPre=") || strings.Contains(text, "Activation via systemd failed for unit") {
		return true
	}
	level, told := logline.LevelOf(text)
	return told && level < logline.Error && l.Gravity < logline.Fatal
}

// startedContainer matches errors of the program that a running container runtime calls to create a container.
var startedContainer = lazyregexp.New(`(?i)\bOCI runtime (?:create|start|exec) failed\b|\brunc (?:create|run) failed\b|\berror during container init\b`)

// ofTool reports whether a command line tool wrote the line.
func ofTool(l *evidence.Line) bool {
	return l.Speaker == logline.Command || strings.HasPrefix(l.Ref.Text, "FATA[")
}

func ofKind(k logline.Kind) string {
	if k == "" {
		return ""
	}
	return " (" + string(k) + ")"
}
