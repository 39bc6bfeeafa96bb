package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// readsEvidence matches a command of this program that answers from evidence, up to its comment.
var readsEvidence = lazyregexp.New(`^nodetriage (?:(?:diagnose|why|verify|nodes|pods|pools|budgets|daemonsets|predict|check)\b|drain .*--plan\b)[^|;&#(]*`)

// onEvidence adds the files of this answer to a command that reads evidence. Without them it would read a cluster that may not be
// reachable, or another one.
func (s Style) onEvidence(command string) string {
	found := readsEvidence.FindString(command)
	if s.Evidence == "" || found == "" || strings.Contains(found, " -f ") {
		return command
	}
	own := strings.TrimRight(found, " ")
	return own + " " + s.Evidence + command[len(own):]
}
