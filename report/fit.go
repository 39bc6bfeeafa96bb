package report

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// rowsOfScreen is how many rows an answer takes at most: a terminal of 24 rows shows it and the prompt.
const rowsOfScreen = 23

// form is one way to write a part of a screen.
type form struct {
	rows []string
	// keep is what the next shorter form gives up, compared with the forms of other parts. The form with the least is
	// replaced first.
	keep int
}

// part is a part of a screen: its forms, the longest first.
type part []form

// fitParts chooses a form of each part so that all together take at most this number of rows. If the shortest forms need more,
// the last rows are left out and the screen reports that.
func fitParts(parts []part, rows, width int) []string {
	return cutRows(chooseForms(parts, rows, width), rows, width)
}

// chooseForms puts the chosen form of each part first. It replaces the forms with the least worth, and then uses the rows that
// this left over for the forms with the most worth.
func chooseForms(parts []part, rows, width int) []part {
	parts = slices.Clone(parts)
	total := 0
	for _, p := range parts {
		total += rowsOn(p[0].rows, width)
	}
	size := func(p part) int { return rowsOn(p[0].rows, width) }
	var replaced []int // parts, in order
	longer := map[int][]part{}
	for total > rows {
		at := leastWorth(parts)
		if at < 0 {
			break
		}
		longer[at] = append(longer[at], parts[at])
		replaced = append(replaced, at)
		total -= size(parts[at])
		parts[at] = parts[at][1:]
		total += size(parts[at])
	}
	for _, at := range slices.Backward(replaced) {
		last := len(longer[at]) - 1
		if last < 0 {
			continue
		}
		if grown := total - size(parts[at]) + size(longer[at][last]); grown <= rows {
			parts[at], total = longer[at][last], grown
			longer[at] = longer[at][:last]
		}
	}
	return parts
}

// leastWorth returns the part whose form has the least worth and a shorter one; of two alike the later one; -1: none has.
func leastWorth(parts []part) int {
	at := -1
	for i, p := range parts {
		if len(p) > 1 && (at < 0 || p[0].keep <= parts[at][0].keep) {
			at = i
		}
	}
	return at
}

// cutRows joins the first forms of the parts.
func cutRows(parts []part, rows, width int) []string {
	var out []string
	for _, p := range parts {
		out = append(out, p[0].rows...)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	if rowsOn(out, width) <= rows {
		return out
	}
	for len(out) > 0 && rowsOn(out, width) > rows-1 {
		out = out[:len(out)-1]
	}
	return append(out, "...")
}

// rowsOn returns how many rows of a terminal the lines take.
func rowsOn(lines []string, width int) int {
	n := 0
	for _, line := range lines {
		n += wording.Rows(line, width)
	}
	return n
}

// block wraps a text after a label, with this indent for the other rows.
func (s Style) block(label, text string, indent int) []string {
	if label == "" {
		return strings.Split(strings.Repeat(" ", indent)+wording.Wrap(text, s.width(), strings.Repeat(" ", indent)), "\n")
	}
	at := max(indent, wording.Columns(label)+1)
	head := s.paint(bold, label) + strings.Repeat(" ", at-wording.Columns(label))
	return strings.Split(head+wording.WrapFrom(text, at, s.width(), strings.Repeat(" ", indent)), "\n")
}

// rows is a block whose text is shortened to this number of rows.
func (s Style) rows(label, text string, indent, n int) []string {
	out := s.block(label, text, indent)
	for size := len([]rune(text)); len(out) > n && size > 0; size -= 4 {
		out = s.block(label, shorten(text, size), indent)
	}
	return out
}

// row is a block of one row.
func (s Style) row(label, text string, indent int) []string { return s.rows(label, text, indent, 1) }
