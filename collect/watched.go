package collect

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// watched follows a table of kubectl. With -w, an object gets another row at each change, and the last row counts. The name of a
// node in a row is no evidence, because people choose it.
type watched struct {
	nodes   bool           // rows are nodes
	called  map[int]string // names of nodes by line
	columns int            // number of columns that identify an object
	rows    map[string]int // last line of each object
	old     map[int]bool   // lines with a later row for the same object
}

// maxWatched bounds the tracked objects and rows.
const maxWatched = 2000

// begin takes the header of a table. A repeated header starts another table.
func (w *watched) begin(header string) {
	columns := strings.Fields(header)
	w.columns, w.nodes = slices.Index(columns, "NAME")+1, slices.Contains(columns, "ROLES")
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
	if w.nodes {
		w.call(number, name)
	}
	if before, again := w.rows[name]; again {
		if w.old == nil {
			w.old = map[int]bool{}
		}
		w.old[before] = true
	}
	w.rows[name] = number
}

// call records the node name of a row.
func (w *watched) call(number int, name string) {
	if w.called == nil {
		w.called = map[int]string{}
	}
	if len(w.called) < maxWatched {
		w.called[number] = name
	}
}

// byName reports whether a signature matches only the name of a node in the row at that line.
func (w *watched) byName(sig *signatures.Signature, number int, row string) bool {
	name, ok := w.called[number]
	if !ok {
		return false
	}
	_, without := sig.Match(strings.Replace(row, name, "name", 1))
	return !without
}

// calm reports whether the row at that line shows no problem, apart from the node name.
func (w *watched) calm(number int, row string) bool {
	name, ok := w.called[number]
	return ok && logline.GravityOf(strings.Replace(row, name, "name", 1)) == logline.Plain
}

// superseded reports whether the row at that line is not the last row of its object.
func (w *watched) superseded(number int) bool { return w.old[number] }
