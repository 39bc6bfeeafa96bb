package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Headings that several forms share.
const (
	fixes         = "Fixes, lowest risk first"
	beforeFixes   = "Before any fix"
	otherFindings = "Other findings"
	symptomsAlone = "Symptoms without a known cause"
	relevantLines = "Most relevant lines"
	changedBefore = "Changed shortly before (not necessarily the cause)"
	hidden        = "Filtered and suppressed"
	narrowDown    = "How to find the cause"
	confused      = "Often confused with"
	forms         = "This page also covers"
)

// expects returns the result of a check of the page.
func (p *Page) expects(c catalog.Check) string {
	if p.Kind == "Symptom" {
		return "Look for: " + strings.TrimSuffix(string(c.Expect), ".")
	}
	return confirms(c)
}

// checkSays returns where a check of the page runs, and its result, on one screen.
func (p *Page) checkSays(c catalog.Check) string {
	says := p.expects(c)
	if strings.HasPrefix(says, expected) {
		return checkSays(on(c.Where), says)
	}
	return joined(". ", capital(on(c.Where)), says)
}

// whereOf returns the form of the cause that the check of this number is only for, and where to run it. It stands above the command,
// because the same command has a plausible output in other places. "" for any form on the workstation.
func (p *Page) whereOf(i int) string {
	form := ""
	if i < len(p.FormOf) && p.FormOf[i] != "" {
		form = "Only for the case \"" + p.FormOf[i] + "\""
	}
	return capital(joined(", ", form, on(p.Confirm[i].Where)))
}

// capital returns a text with an upper-case first letter. The name of an object with its namespace stays as it is.
func capital(s string) string {
	if word, _, _ := strings.Cut(s, " "); word == "" || strings.Contains(word, "/") {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
