// Package picture draws what the program prints on a terminal as SVG: the same text gives the same file on every machine.
package picture

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Sizes in pixels. The columns do not depend on the fonts of the reader: every piece of text has its position and its length.
const (
	column = 8.4
	row    = 18
	margin = 16
	top    = 40 // the bar above the text
)

// colors are the colors of the program's output by their codes. All have a contrast of at least 4.5 to 1 on the background.
var colors = map[string]string{"31": "#ff7b72", "32": "#56d364", "33": "#e3b341", "2": "#9ba3ad"}

var code = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// Draw returns a picture of a terminal after a command: the text may have colors, bold and dim.
func Draw(command, text string) []byte {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	widest := 80
	for _, line := range lines {
		widest = max(widest, utf8.RuneCountInString(code.ReplaceAllString(line, "")))
	}
	width, height := float64(widest)*column+2*margin, top+row*(len(lines)+1)+margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" role="img" aria-label="%s">
<rect width="100%%" height="100%%" rx="8" fill="#161b22"/>
<g fill="#30363d"><circle cx="22" cy="20" r="6"/><circle cx="42" cy="20" r="6"/><circle cx="62" cy="20" r="6"/></g>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3" xml:space="preserve">
`, width, height, width, height, escape("Terminal output of "+command))
	place(&b, 0, top+row, "", "$ "+command)
	for i, line := range lines {
		drawLine(&b, top+row*(i+2), line)
	}
	b.WriteString("</g>\n</svg>\n")
	return []byte(b.String())
}

// drawLine draws the pieces between two codes.
func drawLine(b *strings.Builder, y int, line string) {
	x, style := 0, ""
	for {
		at := code.FindStringSubmatchIndex(line)
		end := len(line)
		if at != nil {
			end = at[0]
		}
		place(b, x, y, style, line[:end])
		x += utf8.RuneCountInString(line[:end])
		if at == nil {
			return
		}
		style, line = attributes(line[at[2]:at[3]]), line[at[1]:]
	}
}

// attributes returns the attributes of SVG for the codes.
func attributes(codes string) string {
	var out string
	for c := range strings.SplitSeq(codes, ";") {
		switch {
		case c == "1":
			out += ` font-weight="bold"`
		case colors[c] != "":
			out += ` fill="` + colors[c] + `"`
		}
	}
	return out
}

// place draws a piece of text at its column. Spaces at its ends move it.
func place(b *strings.Builder, x, y int, style, text string) {
	short := strings.TrimLeft(text, " ")
	x += len(text) - len(short)
	short = strings.TrimRight(short, " ")
	if short == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f"%s>%s</text>`+"\n", margin+float64(x)*column, y, float64(utf8.RuneCountInString(short))*column, style, escape(short))
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
