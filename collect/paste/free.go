package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// startFree reads free. Its numbers have no unit, only the flag of the command shows it. Without the command, only the output of
// -h is read.
func startFree(p *page, l line) reader {
	columns := strings.Fields(l.text)
	if !startsWith(columns, "total", "used", "free") {
		return nil
	}
	t := freeTable{p: p, columns: columns}
	t.unit, t.known = freeUnit(p.cmd)
	return each(t.row)
}

// freeTable is the table of free.
type freeTable struct {
	p       *page
	columns []string
	unit    uint64 // of plain numbers, in bytes
	known   bool   // the command shows the unit
}

func (t *freeTable) row(l line) bool {
	f := strings.Fields(l.text)
	if len(f) < 4 || !strings.HasSuffix(f[0], ":") {
		return len(f) > 1 && f[0] == "-/+" // old layout
	}
	total, ok := t.cell(f, "total")
	if !ok {
		return isPlainNumber(f[1])
	}
	r := t.p.node()
	if r.Memory == nil {
		if !t.p.text.room("memory", l) {
			return true
		}
		r.Memory = &nodereport.Memory{}
	}
	switch f[0] {
	case "Mem:":
		r.Memory.Total, r.Memory.Ref = total, quote(l)
		r.Memory.Available, _ = t.cell(f, "available")
	case "Swap:":
		r.Memory.SwapTotal = &total
		r.Memory.SwapUsed, _ = t.cell(f, "used")
	default:
		return false
	}
	return true
}

// cell returns the bytes in a column. A number without a unit, other than 0, needs the command.
func (t *freeTable) cell(row []string, column string) (uint64, bool) {
	i := slices.Index(t.columns, column)
	if i < 0 || i+1 >= len(row) {
		return 0, false
	}
	text := row[i+1]
	if !t.known && isPlainNumber(text) && text != "0" {
		return 0, false
	}
	v := parseSize(text, t.unit)
	return v, v != badSize
}

func isPlainNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

func freeUnit(c *command) (unit uint64, known bool) {
	if c == nil || c.tool() != "free" {
		return 1 << 10, false
	}
	for _, w := range c.words[1:] {
		switch w {
		case "-b", "--bytes":
			return 1, true
		case "-m", "--mebi", "-tm", "-mt":
			return 1 << 20, true
		case "-g", "--gibi":
			return 1 << 30, true
		}
	}
	return 1 << 10, true
}
