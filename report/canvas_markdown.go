package report

import (
	"strings"
)

// ticket is a Markdown page. It follows the rules in markdown.go.
type ticket struct {
	markdown
	commands []string // in one block
	list     bool     // the previous line is a list item
}

// item writes an item. Consecutive items form one list.
func (t *ticket) item(text string) {
	t.flush()
	if !t.list {
		t.line("")
	}
	t.line("- %s", text)
	t.list = true
}

// own writes a separate text.
func (t *ticket) own(format string, args ...any) {
	t.flush()
	t.list = false
	t.line("\n"+format, args...)
}

// flush writes consecutive commands as one block. The block is inside the item before them, if there is one.
func (t *ticket) flush() {
	if len(t.commands) == 0 {
		return
	}
	indent := ""
	if t.list {
		indent = "  "
	}
	t.WriteString("\n" + mdBlock("sh", indent, t.commands...))
	t.commands = nil
}

// String returns the whole page.
func (t *ticket) String() string {
	t.flush()
	return t.markdown.String()
}

func (t *ticket) title(word, _, rest string) { t.line("## %s: %s", mdText(word), mdText(rest)) }

func (t *ticket) note(text string) { t.own("%s", mdText(text)) }

func (t *ticket) blank() {}

func (t *ticket) section(name string) { t.own("### %s", mdText(name)) }

func (t *ticket) entry(name, rest string) {
	t.own("%s", strings.TrimSpace("**"+mdText(name)+"** "+mdText(rest)))
}

func (t *ticket) paragraph(text string) { t.item(mdText(text)) }

func (t *ticket) detail(text string) {
	t.flush()
	t.line("  - %s", mdText(text))
}

func (t *ticket) labelled(name, text string) {
	if name == "" {
		t.detail(text)
		return
	}
	t.item(strings.TrimSpace(mdText(name) + ": " + mdText(text)))
}

func (t *ticket) judged(j judged) {
	text := "**" + mdText(j.word) + "** "
	if j.name != "" {
		text += mdText(joined(", ", j.name, j.took)) + ": "
	}
	t.item(text + mdText(j.text))
}

func (t *ticket) numbered(_ int, text string) { t.item(mdText(text)) }

func (t *ticket) heading(n int, title string) { t.own("### %d. %s", n, mdText(title)) }

func (t *ticket) remark(text string) { t.note(text) }

func (t *ticket) shortened(head, middle, rest string) { t.paragraph(head + middle + rest) }

func (t *ticket) at(when, text string) { t.item("**" + mdText(when) + "** " + mdText(text)) }

// table writes an item for each row, because tables are not plain CommonMark.
func (t *ticket) table(head []string, rows [][]string) {
	for _, row := range rows {
		parts := []string{"**" + mdText(row[0]) + "**"}
		for i, cell := range row[1:] {
			if told(cell) {
				parts = append(parts, mdText(strings.ToLower(head[i+1])+" "+cell))
			}
		}
		t.item(strings.Join(parts, ", "))
	}
}

func (t *ticket) grid(d grid) {
	if d.title != "" {
		t.section(d.title)
	}
	t.table(apply(d.columns, func(c column) string { return c.name }), apply(d.rows, func(r gridRow) []string { return r.cells }))
}

func (t *ticket) excerpt() int { return longest }

func (t *ticket) command(text string) { t.commands = append(t.commands, text) }

func (t *ticket) left(n int, _ depth, one, many string) {
	if n > 0 {
		t.item("and " + strings.TrimSpace(tail(n, one, many)))
	}
}

func (t *ticket) limit(_, all int) int { return min(all, htmlRows) }

func (t *ticket) wide() bool { return true }
