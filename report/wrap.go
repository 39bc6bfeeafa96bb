package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// breakLines wraps a text into at most n lines of the width. The last one marks the cut.
func breakLines(text string, width, n int) []string {
	lines := strings.Split(wording.Wrap(text, width, ""), "\n")
	if len(lines) > n {
		lines = append(lines[:n-1], strings.Join(lines[n-1:], " "))
	}
	for i := range lines {
		lines[i] = shorten(lines[i], width+2)
	}
	return lines
}
