package collect

import (
	"slices"
	"strings"
)

// watched follows a table that kubectl get -w goes on with: each object has a row again whenever it changes, and the last one counts.
type watched struct {
	columns int            // how many of them name an object
	rows    map[string]int // the last line of each object
	old     map[int]bool   // lines after which the object has another
}

// maxWatched bounds the objects and rows that are followed.
const maxWatched = 2000

// begin takes the header of a table. A text that shows the header again shows another table.
func (w *watched) begin(header string) {
	w.columns = slices.Index(strings.Fields(header), "NAME") + 1
	if w.rows = nil; w.columns == 1 || w.columns == 2 && strings.HasPrefix(header, "NAMESPACE") {
		w.rows = map[string]int{}
	}
}

// take takes a row.
func (w *watched) take(number int, row string) {
	fields := strings.Fields(row)
	if w.rows == nil || len(fields) <= w.columns || len(w.rows) >= maxWatched || len(w.old) >= maxWatched {
		return
	}
	name := strings.Join(fields[:w.columns], " ")
	if before, again := w.rows[name]; again {
		if w.old == nil {
			w.old = map[int]bool{}
		}
		w.old[before] = true
	}
	w.rows[name] = number
}

// superseded reports whether the row at that line is not the last one of its object.
func (w *watched) superseded(number int) bool { return w.old[number] }
