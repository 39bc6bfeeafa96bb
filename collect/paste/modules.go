package paste

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// moduleList reads lsmod, with or without grep.
type moduleList struct {
	p      *page
	cmd    *command
	head   bool // "Module Size Used by" was read
	broken bool // rows are missing
	loaded []string
	at     line
	size   int
}

// startModules starts at the header.
func startModules(p *page, l line) reader {
	if f := strings.Fields(l.text); len(f) < 4 || !startsWith(f, "Module", "Size", "Used") {
		return nil
	}
	return &moduleList{p: p, cmd: p.command(), head: true, at: l}
}

func outputLsmod(p *page, c *command) reader {
	return &moduleList{p: p, cmd: c, at: line{no: p.no, text: c.raw}}
}

func (m *moduleList) take(l line) bool {
	text := strings.TrimSpace(l.text)
	f := strings.Fields(text)
	switch {
	case text == "":
		return len(m.loaded) == 0
	case isDots(text):
		m.broken = true
		return true
	case len(f) == 4 && startsWith(f, "Module", "Size", "Used"):
		m.head = true
		return true
	case len(f) < 3:
		return false
	}
	if _, err := strconv.Atoi(f[1]); err != nil || !isName(f[0]) {
		return false
	}
	if _, err := strconv.Atoi(f[2]); err != nil {
		return false
	}
	if m.size += len(l.text); m.size > 256<<10 {
		m.broken = true
		return true
	}
	if len(m.loaded) == 0 {
		m.at = l
	}
	m.loaded = append(m.loaded, f[0])
	return true
}

// close records the modules. Missing modules count as searched only if the output is complete: at the next prompt, or the end of
// the quote or text.
func (m *moduleList) close(how ending) {
	var asked []string
	if m.isWhole(how) {
		asked = m.missing()
	}
	if len(m.loaded) == 0 && len(asked) == 0 || !m.p.text.room("modules", m.at) {
		return
	}
	r := m.p.node()
	if r.Modules == nil {
		r.Modules = &nodereport.Modules{Ref: quote(m.at)}
	}
	m.p.text.kept += m.size
	for _, name := range m.loaded {
		if len(r.Modules.Loaded) < 2000 && !slices.Contains(r.Modules.Loaded, name) {
			r.Modules.Loaded = append(r.Modules.Loaded, name)
		}
	}
	r.Modules.Asked = append(r.Modules.Asked, asked...)
	if m.head && !m.broken && !m.cmd.filtered() && len(m.loaded) >= 20 {
		r.Modules.Complete = true
	}
}

// isWhole reports whether the lines are all that lsmod printed.
func (m *moduleList) isWhole(how ending) bool {
	ended := how != otherText || len(m.loaded) > 0
	return m.cmd.tool() == "lsmod" && m.cmd.sure && ended && !m.broken
}

// missing returns the modules that were searched for but are not in the output.
func (m *moduleList) missing() (names []string) {
	for _, w := range m.cmd.searched() {
		w = strings.ReplaceAll(w, "-", "_")
		if !slices.ContainsFunc(m.loaded, func(name string) bool { return strings.Contains(name, w) }) {
			names = append(names, w)
		}
	}
	return names
}
