package collect

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/paste"
)

// measured follows the output of df in a terminal session. Of two measurements of a file system on one machine, the last row counts.
type measured struct {
	session string         // machine and kind of the table; empty: no df of a known machine
	rows    map[string]int // last line of each file system
	old     map[int]bool   // lines with a later row for the same file system
}

// begin takes a line with a command.
func (m *measured) begin(typed string) {
	m.session = ""
	host, words := paste.Session(typed)
	if host == "" || len(words) == 0 || words[0] != "df" {
		return
	}
	m.session = host
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") && strings.Contains(w, "i") }) {
		m.session += " inodes"
	}
}

// take takes a row of the output.
func (m *measured) take(number int, row string) {
	fields := strings.Fields(row)
	if m.session == "" || len(fields) < 6 || !strings.HasSuffix(fields[len(fields)-2], "%") || len(m.rows) >= maxWatched {
		return
	}
	key := m.session + " " + fields[0] + " " + fields[len(fields)-1]
	if before, again := m.rows[key]; again {
		if m.old == nil {
			m.old = map[int]bool{}
		}
		m.old[before] = true
	}
	if m.rows == nil {
		m.rows = map[string]int{}
	}
	m.rows[key] = number
}

// superseded reports whether the row at that line has a later row.
func (m *measured) superseded(number int) bool { return m.old[number] }
