package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// Control sequences of terminals (ECMA-48).
const (
	cursorHome   = "\x1b[H"
	clearLineEnd = "\x1b[K"
	clearBelow   = "\x1b[J"
)

// draw replaces the content of the terminal by a view and a status line below it. One write overwrites the rows in place, so
// that nothing flickers. A view with more rows than the terminal is cut.
func draw(terminal *os.File, out *outputFlags, v *look, status string) error {
	columns, rows := sizeOf(terminal)
	style := out.style(terminal)
	style.Rows = max(rows-1, 1)
	var view bytes.Buffer
	if err := v.page(&view, style); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(cursorHome)
	for _, line := range cutRows(byName(view.String()), columns, style.Rows) {
		b.WriteString(line)
		if line == "" || wording.Columns(line)%columns != 0 { // behind a full row it would clear the last column
			b.WriteString(clearLineEnd)
		}
		b.WriteString("\n")
	}
	if runes := []rune(status); len(runes) >= columns {
		status = string(runes[:max(columns-1, 0)])
	}
	b.WriteString(status + clearLineEnd + clearBelow)
	_, err := io.WriteString(terminal, b.String())
	return err
}

// cutRows returns the lines that fit into this number of rows. The last row reports how many were left out.
func cutRows(text string, columns, rows int) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	left := rowsOn(strings.Join(lines, "\n"), columns)
	if left <= rows {
		return lines
	}
	var out []string
	for _, line := range lines {
		n := wording.Rows(line, columns)
		if n > rows-1 {
			break
		}
		rows, left = rows-n, left-n
		out = append(out, line)
	}
	return append(out, fmt.Sprintf("... %d more rows", left))
}
