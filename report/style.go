package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Style is how the terminal form is written.
type Style struct {
	Color bool
	Width int  // columns; 0: 80
	Wide  bool // everything, not one screen
}

func (s Style) width() int {
	if s.Width < 40 {
		return 80
	}
	return min(s.Width, 160)
}

const (
	bold   = "1"
	red    = "31"
	yellow = "33"
	green  = "32"
	dim    = "2"
)

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) verdict(v triage.Verdict) string {
	word := strings.ToUpper(string(v))
	switch v {
	case triage.Broken:
		return s.paint(bold+";"+red, word)
	case triage.Warn:
		return s.paint(bold+";"+yellow, word)
	case triage.Healthy:
		return s.paint(bold+";"+green, word)
	}
	return s.paint(bold, word)
}

func (s Style) severity(v catalog.Severity) string {
	switch v {
	case catalog.Critical, catalog.Error:
		return s.paint(red, string(v))
	case catalog.Warning:
		return s.paint(yellow, string(v))
	}
	return string(v)
}

// wrap breaks text at spaces to the width, each line after the first with the indent. Words that are longer
// than the width, such as commands' arguments, are left whole.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	column := len(indent)
	for i, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
