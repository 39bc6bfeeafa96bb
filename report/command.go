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
	var word strings.Builder
	quote := rune(0)
	escaped := false
	for _, r := range command {
		switch {
		case r == '\n' || r == '#' && quote == 0 && word.Len() == 0:
			return nil
		case escaped:
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			if word.Len() > 0 {
				out = append(out, word.String())
				word.Reset()
			}
			continue
		}
		word.WriteRune(r)
	}
	if quote != 0 || escaped {
		return nil
	}
	if word.Len() > 0 {
		out = append(out, word.String())
	}
	return out
}
