package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// startFree reads free. Its numbers have no unit, only the flag of the command shows it. Without the command, only the output of
// -h is read.
func startFree(p *page, l line) reader {
	names := strings.Fields(l.text)
	if len(names) < 3 || names[0] != "total" || names[1] != "used" || names[2] != "free" {
		return nil
	}
	unit, known := freeUnit(p.cmd)
	return each(func(l line) bool {
		f := strings.Fields(l.text)
		if len(f) < 4 || !strings.HasSuffix(f[0], ":") {
			return len(f) > 1 && f[0] == "-/+" // old layout
		}
		cell := func(name string) (uint64, bool) {
			i := slices.Index(names, name)
			if i < 0 || i+1 >= len(f) || !known && strings.Trim(f[i+1], "0123456789") == "" && f[i+1] != "0" {
				return 0, false
			}
			v := parseSize(f[i+1], unit)
			return v, v != badSize
		}
		total, ok := cell("total")
		if !ok {
			return strings.Trim(f[1], "0123456789") == ""
		}
		r := p.node()
		if r.Memory == nil {
			if !p.text.room("memory", l) {
				return true
			}
			r.Memory = &nodereport.Memory{}
		}
		switch f[0] {
		case "Mem:":
			r.Memory.Total, r.Memory.Ref = total, quote(l)
			r.Memory.Available, _ = cell("available")
		case "Swap:":
			r.Memory.SwapTotal = &total
			r.Memory.SwapUsed, _ = cell("used")
		default:
			return false
		}
		return true
	})
}

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
