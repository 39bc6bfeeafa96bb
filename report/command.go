package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// commandRows writes a command for a terminal so that it can be copied. A long command is continued with a backslash before
// arguments. It stays whole if a comment or an unknown quotation would make that wrong.
func (s Style) commandRows(command string, indent int) []string {
	lead := strings.Repeat(" ", indent)
	room := s.width() - indent - len(continued)
	words := arguments(command)
	if wording.Columns(command) <= s.width()-indent || words == nil {
		return []string{lead + s.paint(bold, command)}
	}
	var out []string
	line := words[0]
	for _, word := range words[1:] {
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

// arguments splits a command at spaces outside quotes; nil if it has a comment, an open quote or several lines.
func arguments(command string) []string {
	var out []string
	begin, quote, escaped := -1, byte(0), false // begin of the current word; -1: none
	for i := range len(command) {
		c := command[i]
		switch {
		case c == '\n', c == '#' && begin < 0:
			return nil
		case escaped:
			escaped = false
		case quote != 0:
			escaped = c == '\\' && quote == '"'
			if c == quote {
				quote = 0
			}
		case c == ' ' && begin >= 0:
			out, begin = append(out, command[begin:i]), -1
		case c != ' ':
			escaped = c == '\\'
			if c == '\'' || c == '"' {
				quote = c
			}
		}
		if begin < 0 && c != ' ' {
			begin = i
		}
	}
	if quote != 0 || escaped {
		return nil
	}
	if begin >= 0 {
		out = append(out, command[begin:])
	}
	return out
}
