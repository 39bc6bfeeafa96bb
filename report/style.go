package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Style is the style of the terminal form.
type Style struct {
	Color bool
	Width int  // columns; 0: 80, at least narrowest
	Wide  bool // everything, not one screen
	Rows  int  // of one screen; 0: rowsOfScreen
	// Evidence are the flags that select the files of the answer: -f bundle.tar.gz. Empty: a cluster.
	Evidence string
	// notesBehind: what a command prints stands behind it, where a row above it has no room.
	notesBehind bool
}

func (s Style) height() int {
	if s.Rows <= 0 {
		return rowsOfScreen
	}
	return s.Rows
}

// narrowest is the width of the narrowest screen. On a narrower one the terminal breaks the lines.
const narrowest = 40

// Leaving leaves this number of rows of the screen for what follows the answer, such as a question.
func (s Style) Leaving(rows int) Style {
	s.Rows = s.height() - rows
	return s
}

// width returns the width of sentences.
func (s Style) width() int { return min(s.columns(), 160) }

// columns returns the width of the terminal for tables, whose lines are not read like sentences.
func (s Style) columns() int {
	if s.Width <= 0 {
		return 80
	}
	return max(s.Width, narrowest)
}

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) verdict(v triage.Verdict) string {
	code := bold
	if c := verdictColor(v); c != "" {
		code += ";" + c
	}
	return s.paint(code, strings.ToUpper(string(v)))
}

// filtered is shown instead of healthy if a filter hides findings and nothing else is left.
const filtered triage.Verdict = "filtered"

// shownVerdict returns the verdict for people.
func shownVerdict(r *triage.Report) triage.Verdict {
	if r.HidesAll() {
		return filtered
	}
	return r.Verdict
}

func verdictColor(v triage.Verdict) string {
	switch v {
	case triage.Broken:
		return red
	case triage.Warn, filtered:
		return yellow
	case triage.Healthy:
		return green
	}
	return ""
}

func (s Style) severity(v catalog.Severity) string { return s.paint(severityColor(v), string(v)) }

func severityColor(v catalog.Severity) string {
	switch v {
	case catalog.Critical, catalog.Error:
		return red
	case catalog.Warning:
		return yellow
	}
	return ""
}
