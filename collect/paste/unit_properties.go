package paste

import (
	"math"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// outputProperties reads systemctl show: lines of KEY=VALUE, an empty line between two units.
func outputProperties(p *page, c *command) reader {
	names := shownUnits(c.words[2:])
	i := 0
	return each(func(l line) bool {
		if strings.TrimSpace(l.text) == "" {
			i++
			return i < len(names)
		}
		key, value, ok := strings.Cut(strings.TrimSpace(l.text), "=")
		if !ok || i >= len(names) || !isName(key) {
			return false
		}
		if u := p.unit(names[i], l); u != nil {
			setProperty(u, key, value)
		}
		return true
	})
}

// shownUnits returns the units in the arguments of systemctl show, without the requested properties.
func shownUnits(args []string) []string {
	var out []string
	for i, w := range args {
		if !strings.HasPrefix(w, "-") && (i == 0 || args[i-1] != "-p" && args[i-1] != "--property") {
			out = append(out, w)
		}
	}
	return out
}

// setProperty sets a property of org.freedesktop.systemd1(5) that a unit of a report has.
func setProperty(u *nodereport.Unit, key, value string) {
	switch key {
	case "LoadState":
		u.Load = value
	case "ActiveState":
		u.Active = value
	case "SubState":
		u.Sub = value
	case "UnitFileState":
		u.Enabled = value
	case "ConditionResult":
		u.Skipped = value == "no" && u.Active != "active"
	case "Result":
		if value != "success" {
			u.Result = value
		}
	case "NRestarts":
		u.Restarts, _ = strconv.Atoi(value)
	case "MemoryMax", "MemoryLimit":
		if n, err := strconv.ParseUint(value, 10, 64); err == nil && n != math.MaxUint64 {
			u.MemoryMax = n
		}
	}
}
