package report

import (
	"io"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// Elements that several pages share. Empty elements are not drawn: a function returns nil for them.

// paragraph draws a separate text.
func paragraph(class, text string) g.Node {
	return g.If(text != "", h.P(g.If(class != "", h.Class(class)), g.Text(text)))
}

// item draws an entry of a list.
func item(text string) g.Node { return h.Li(g.Text(text)) }

func items(texts []string) g.Node { return h.Ul(g.Map(texts, item)) }

// facts draws short texts in a row below a headline.
func facts(list ...g.Node) g.Node { return h.Ul(h.Class("facts"), g.Group(list)) }

// commands draws commands to paste, one on each line.
func commands(list []string) g.Node {
	return g.If(len(list) > 0, h.Pre(g.Text(strings.Join(list, "\n"))))
}

// caution draws a list in a box.
func caution(texts []string) g.Node { return h.Div(h.Class("caution"), items(texts)) }

// more draws a section that the reader can expand.
func more(head, inside g.Node) g.Node { return drawer(false, head, inside) }

func drawer(open bool, head, inside g.Node) g.Node {
	return h.Details(g.If(open, h.Open()), h.Summary(head), h.Div(h.Class("inside"), inside))
}

// table draws a table that scrolls if the screen is too narrow for it.
func table(rows g.Node, heads ...g.Node) g.Node {
	return scroll(h.Table(h.Class("odd"), head(heads...), h.TBody(newline, rows)))
}

func head(cells ...g.Node) g.Node { return h.THead(h.Tr(cells...)) }

func scroll(inside g.Node) g.Node { return h.Div(h.Class("scroll"), inside) }

func th(text string) g.Node { return h.Th(g.Text(text)) }

// thNumber draws the head of a column of numbers.
func thNumber(text string) g.Node { return h.Th(h.Class("num"), g.Text(text)) }

func td(text string) g.Node { return h.Td(g.Text(text)) }

// tdOf draws a cell of a class.
func tdOf(class, text string) g.Node { return h.Td(h.Class(class), g.Text(text)) }

// row draws a row of a table, on one line of the source.
func row(cells ...g.Node) g.Node { return g.Group{h.Tr(cells...), newline} }

// leaf draws an SVG element without content, which closes itself.
func leaf(name string, attributes ...g.Node) g.Node {
	return g.NodeFunc(func(w io.Writer) error {
		if _, err := io.WriteString(w, "<"+name); err != nil {
			return err
		}
		for _, a := range attributes {
			if a == nil {
				continue
			}
			if err := a.Render(w); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, "/>")
		return err
	})
}

// headline draws a second-level headline, on one line of the source.
func headline(text string) g.Node { return g.Group{h.H2(g.Text(text)), newline} }

// titled draws a headline with content below it; nil if n is 0.
func titled(title string, n int, inside g.Node) g.Node {
	return g.If(n > 0, g.Group{headline(title), inside})
}
