package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// fit cuts or pads a text to exactly n columns. A name is cut in its middle: names of a kind differ at their ends.
func fit(s string, n int) string {
	if wording.Columns(s) > n && n >= leastWidth && !strings.Contains(s, " ") {
		s = shortenMiddle(s, n)
	}
	if wording.Columns(s) > n {
		cut := []rune(s)
		for len(cut) > 0 && wording.Columns(string(cut)) > n-2 {
			cut = cut[:len(cut)-1]
		}
		s = string(cut) + ".."
	}
	return s + strings.Repeat(" ", max(n-wording.Columns(s), 0))
}

// breakLines breaks a text into at most n lines of the width; the last one marks what was cut.
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
