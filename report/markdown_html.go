package report

import (
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
)

// markdownHTML renders a page of the catalogue. Users can add pages, so raw HTML in them is left out and
// links to scripts are dropped: that is what goldmark does unless it is told otherwise.
func markdownHTML(text string) template.HTML {
	var b strings.Builder
	if err := goldmark.Convert([]byte(cleanLines(text)), &b); err != nil {
		return template.HTML(template.HTMLEscapeString(text))
	}
	return template.HTML(b.String())
}

// cleanLines is Clean for a text whose lines matter.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(Clean(l), " ")
	}
	return strings.Join(lines, "\n")
}
