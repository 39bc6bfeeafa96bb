package report

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/clouds"
)

// advised is a part of an advice: words, or a command that people copy.
type advised struct {
	text    string
	command bool
}

// tools are the first words of commands in advice.
var tools = func() []string {
	out := []string{"nodetriage", "kubectl", "curl", "systemctl", "journalctl", "crictl"}
	for _, cloud := range clouds.All() {
		for _, p := range cloud.Programs {
			out = append(out, p.Name)
		}
	}
	return out
}()

// afterCommands end a command in the middle of an advice.
var afterCommands = []string{"; ", ", which ", " ("}

// adviceParts separates the commands of an advice from its words.
func adviceParts(how string) []advised {
	at := commandAt(how)
	if at < 0 {
		return []advised{{text: how}}
	}
	var out []advised
	if words := strings.TrimSpace(how[:at]); words != "" {
		out = append(out, advised{text: words})
	}
	command, rest := cutCommand(how[at:])
	out = append(out, advised{command, true})
	if rest != "" {
		out = append(out, adviceParts(rest)...)
	}
	return out
}

// commandAt returns where a command begins: first, or after a colon, a semicolon or a joining word; -1: nowhere.
func commandAt(how string) int {
	from := 0
	for {
		word, _, more := strings.Cut(how[from:], " ")
		switch {
		case !more:
			return -1
		case slices.Contains(tools, word):
			return from
		case from == 0 && (word == "then" || word == "or"):
			from = len(word) + 1
			continue
		}
		next := strings.IndexAny(how[from:], ":;")
		if next < 0 || !strings.HasPrefix(how[from+next+1:], " ") {
			return -1
		}
		from += next + 2
	}
}

// cutCommand separates a command from the words after it. Marks between quotes are part of the command.
func cutCommand(text string) (command, rest string) {
	for end := range text {
		marked := slices.ContainsFunc(afterCommands, func(mark string) bool { return strings.HasPrefix(text[end:], mark) })
		if marked && arguments(text[:end]) != nil {
			return text[:end], strings.TrimLeft(text[end:], ";, ")
		}
	}
	return text, ""
}

// writeHow writes an advice below the entry before it, with its commands in rows of their own.
func writeHow(p canvas, how string) {
	if how == "" {
		return
	}
	for _, part := range adviceParts(how) {
		if part.command {
			p.command(part.text)
			continue
		}
		p.detail(part.text)
	}
}
