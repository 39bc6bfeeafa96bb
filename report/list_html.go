package report

import (
	"io"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// Limits of a list on one page. A browser must open it for any size of cluster.
const (
	htmlTables = 60
	htmlRows   = 400 // of one table
)

// writeHTML writes the list as one self-contained page.
func (l list) writeHTML(w io.Writer, title, version string) error {
	return writePage(w, newFrame(title, l.head.Verdict, l.head.Source, l.head.TakenAt, version), l.draw())
}

func (l list) draw() g.Node {
	shown := l.tables[:min(len(l.tables), htmlTables)]
	left := ""
	if n := len(l.tables) - len(shown); n > 0 {
		left = "and " + wording.Count(n, "more group") + " (-o json has all)"
	}
	return g.Group{
		h.H1(g.Text(l.says)), newline,
		g.Map(l.notes, func(text string) g.Node { return paragraph("", text) }),
		g.If(len(l.facts) > 0, h.Table(h.TBody(g.Map(l.facts, func(f fact) g.Node { return row(tdOf("dim nowrap", f.name), td(f.says)) })))),
		g.Map(shown, drawGrid),
		paragraph("dim", left),
		g.Map(l.head.Lacking, func(text string) g.Node { return paragraph("dim", "Incomplete: "+text) }),
		g.If(len(l.head.Ask) > 0, g.Group{paragraph("dim", "The output of these commands completes the list:"), commands(shell.Strings(l.head.Ask))}), newline,
	}
}

// drawGrid draws a table. Unusual facts about a row are below it, over its whole width.
func drawGrid(t grid) g.Node {
	limit := min(len(t.rows), htmlRows)
	rows := g.Map(t.rows[:limit], func(r gridRow) g.Node {
		out := g.Group{row(g.Map(r.cells, td))}
		for _, text := range r.odd {
			out = append(out, row(h.Td(h.Class("warn"), h.ColSpan(strconv.Itoa(len(t.columns))), g.Text(text))))
		}
		return out
	})
	left := ""
	if n := len(t.rows) - limit; n > 0 {
		left = "and " + strconv.Itoa(n) + " more (-o json has all)"
	}
	return g.Group{
		g.If(t.title != "", headline(t.title)),
		paragraph("dim", t.says),
		table(rows, g.Map(t.columns, func(c column) g.Node { return th(c.name) })), newline,
		paragraph("dim", left),
	}
}
