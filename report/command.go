package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// commandRows writes a command for a terminal so that it can be copied. The names that it prints stand in a row above it. A long command is continued with a backslash before
// arguments; an option stays with its value if both fit into a row. It stays whole if an unknown quotation would make that
// wrong.
func (s Style) commandRows(command string, indent int) []string {
	if bare, note, ok := strings.Cut(command, notePrints); ok && bare != "" && !s.notesBehind { // zsh reads a comment behind a command as arguments
		return append(s.commandRows(comment+"prints "+note, indent), s.commandRows(bare, indent)...)
	}
	lead, command := strings.Repeat(" ", indent), s.onEvidence(command)
	if step, ok := strings.CutPrefix(command, comment); ok {
		var out []string
		for row := range strings.SplitSeq(wording.Wrap(step, s.width()-indent-len(comment), ""), "\n") {
			out = append(out, lead+comment+row)
		}
		return out
	}
	room := s.width() - indent - len(continued)
	words := arguments(command)
	if wording.Columns(command) <= s.width()-indent || words == nil {
		return []string{lead + s.paint(bold, command)}
	}
	var out []string
	line := words[0]
	for _, word := range withValues(words[1:], room-len("  ")) {
		if wording.Columns(line+" "+word) > room {
			out = append(out, lead+s.paint(bold, line+continued))
			line = "  " + word
			continue
		}
		line += " " + word
	}
	return append(out, lead+s.paint(bold, line))
}

const continued = ` \`

// withValues joins each option with its value, if both fit into so many columns.
func withValues(words []string, room int) []string {
	var out []string
	for i, word := range words {
		if i > 0 && takesValue(words[i-1]) && isValue(word) {
			if both := out[len(out)-1] + " " + word; wording.Columns(both) <= room {
				out[len(out)-1] = both
				continue
			}
		}
		out = append(out, word)
	}
	return out
}

// takesValue reports whether the word is an option whose value may be the next word.
func takesValue(word string) bool {
	return len(word) > 1 && word[0] == '-' && word != "--" && !strings.Contains(word, "=")
}

// isValue reports whether the word can be the value of an option: no other option, unless it is a negative number, and nothing
// that ends the command.
func isValue(word string) bool {
	if word[0] == '-' {
		return len(word) > 1 && '0' <= word[1] && word[1] <= '9'
	}
	return !strings.ContainsRune("|&;<>#", rune(word[0]))
}

// notePrints separates a command from the names that it prints.
const notePrints = " " + comment + "prints "

// comment begins a step in words between the commands of a remedy. A shell ignores it.
const comment = "# "

// arguments splits a command at spaces outside quotes; nil if it has an open quote or bracket, or several lines. A command inside
// it, $(...), is split too: a shell joins the rows of both. A comment at its end is one argument.
func arguments(command string) []string {
	if strings.ContainsAny(command, "\t\n`") || strings.Contains(command, "<<") {
		return nil
	}
	var out []string
	var q quoting
	begin := -1 // of the current word; -1: none
	for i := range len(command) {
		c := command[i]
		switch {
		case c == '#' && begin < 0:
			return append(out, command[i:])
		case c == ' ' && !q.inside():
			if begin >= 0 {
				out = append(out, command[begin:i])
			}
			begin = -1
			continue
		case begin < 0:
			begin = i
		}
		q.read(c)
	}
	if q.open() {
		return nil
	}
	if begin >= 0 {
		out = append(out, command[begin:])
	}
	return out
}

// quoting is the state of a shell's quotes after some characters.
type quoting struct {
	quote   byte   // the open one; 0: none
	outer   []byte // the open quotes around the commands in brackets that are open
	escaped bool   // the next character stands for itself
	dollar  bool   // the last character is a $ that can begin a command in brackets
}

// inside reports whether a space here does not separate words.
func (q *quoting) inside() bool { return q.quote != 0 || q.escaped }

// open reports whether the command does not end here.
func (q *quoting) open() bool { return q.inside() || len(q.outer) > 0 }

func (q *quoting) read(c byte) {
	dollar := q.dollar
	q.dollar = c == '$' && q.quote != '\'' && !q.escaped
	switch {
	case q.escaped:
		q.escaped = false
	case c == '\\':
		q.escaped = q.quote != '\''
	case c == '(' && (dollar || q.quote == 0):
		q.outer, q.quote = append(q.outer, q.quote), 0
	case q.quote != 0:
		if c == q.quote {
			q.quote = 0
		}
	case c == ')' && len(q.outer) > 0:
		last := len(q.outer) - 1
		q.outer, q.quote = q.outer[:last], q.outer[last]
	case c == '\'' || c == '"':
		q.quote = c
	}
}
