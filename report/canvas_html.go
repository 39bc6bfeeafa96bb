package report

import (
	"io"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// webPage is an HTML page. It follows the rules in html.go.
type webPage struct {
	word, class, about string
	body               g.Group
	list               []listed // consecutive entries
	labels             bool     // its entries have labels
	commands           []string // in one block
}

// listed is an entry of a list: its text, and its label if the list has labels.
type listed struct {
	label g.Node
	says  g.Group
}

// classOf returns the class of the style sheet for a terminal colour.
func classOf(color string) string {
	return map[string]string{red: "bad", yellow: "warn", green: "good"}[color]
}

// add writes a separate element.
func (p *webPage) add(n g.Node) {
	p.flush()
	p.body = append(p.body, n, newline)
}

// flush ends a list.
func (p *webPage) flush() {
	p.flushCommands()
	if len(p.list) == 0 {
		return
	}
	inside := h.Ul(g.Map(p.list, func(l listed) g.Node { return h.Li(l.says) }))
	if p.labels {
		inside = h.Table(h.Class("labels"), h.TBody(g.Map(p.list, func(l listed) g.Node { return row(h.Td(h.Class("nowrap"), l.label), h.Td(l.says)) })))
	}
	p.body = append(p.body, inside, newline)
	p.list = nil
}

// flushCommands writes consecutive commands as one block. The block is inside the entry before them, if there is one.
func (p *webPage) flushCommands() {
	if len(p.commands) == 0 {
		return
	}
	block := commands(p.commands)
	p.commands = nil
	if n := len(p.list); n > 0 {
		p.list[n-1].says = append(p.list[n-1].says, block)
		return
	}
	p.body = append(p.body, block, newline)
}

// entryOf adds an entry to a list of its kind.
func (p *webPage) entryOf(label g.Node, says ...g.Node) {
	if p.labels != (label != nil) {
		p.flush()
	}
	p.flushCommands()
	p.labels = label != nil
	p.list = append(p.list, listed{label, says})
}

func (p *webPage) title(word, color, rest string) {
	p.word, p.class, p.about = word, classOf(color), rest
	if p.class == "" {
		p.class = "dim"
	}
	p.add(h.H1(g.Text(rest)))
}

func (p *webPage) note(text string) { p.add(paragraph("", text)) }

func (p *webPage) blank() { p.flush() }

func (p *webPage) section(name string) { p.add(h.H2(g.Text(name))) }

func (p *webPage) entry(name, rest string) {
	p.add(h.P(h.Strong(g.Text(name)), g.If(rest != "", g.Text(" "+rest))))
}

func (p *webPage) paragraph(text string) { p.entryOf(nil, g.Text(text)) }

func (p *webPage) detail(text string) {
	p.flushCommands()
	says := h.Div(h.Class("dim"), g.Text(text))
	if n := len(p.list); n > 0 {
		p.list[n-1].says = append(p.list[n-1].says, says)
		return
	}
	p.add(says)
}

func (p *webPage) labelled(name, text string) {
	p.entryOf(h.Span(h.Class("dim"), g.Text(name)), g.Text(text))
}

func (p *webPage) judged(j judged) {
	p.entryOf(h.Strong(h.Class(classOf(j.color)), g.Text(j.word)), g.If(j.name != "", g.Group{h.Strong(g.Text(j.name)), g.Text(" " + j.took + " ")}), g.Text(j.text))
}

func (p *webPage) numbered(n int, text string) {
	p.entryOf(h.Span(h.Class("dim"), g.Text(strconv.Itoa(n))), g.Text(text))
}

func (p *webPage) heading(n int, title string) { p.section(strconv.Itoa(n) + ". " + title) }

func (p *webPage) remark(text string) { p.note(text) }

func (p *webPage) shortened(head, middle, rest string) { p.paragraph(head + middle + rest) }

func (p *webPage) at(when, text string) {
	p.entryOf(h.Strong(g.Text(when)), g.Text(text))
}

func (p *webPage) table(head []string, rows [][]string) {
	p.add(table(g.Map(rows, func(r []string) g.Node { return row(g.Map(r, td)) }), g.Map(head, th)))
}

func (p *webPage) grid(t grid) { p.add(drawGrid(t)) }

func (p *webPage) excerpt() int { return longest }

func (p *webPage) command(text string) { p.commands = append(p.commands, text) }

func (p *webPage) left(n int, _ depth, one, many string) {
	if n > 0 {
		p.detail("and " + strings.TrimSpace(tail(n, one, many)) + " (-o json has all)")
	}
}

func (p *webPage) limit(_, all int) int { return min(all, htmlRows) }

func (p *webPage) wide() bool { return true }

func (p *webPage) write(w io.Writer, version string) error {
	p.flush()
	f := frame{Title: "nodetriage: " + strings.ToLower(p.word) + ", " + p.about, Verdict: p.word, VerdictClass: p.class, Version: version}
	return writePage(w, f, p.body)
}
