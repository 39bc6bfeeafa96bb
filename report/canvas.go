package report

import (
	"io"

	"github.com/nodetriage/nodetriage/wording"
)

// canvas is what a result is written on: a terminal, a ticket, a web page. A result says what there is to say, in order; the
// canvas knows how that looks. Texts are escaped by the canvas, once.
type canvas interface {
	// title is the first line: the answer in a word, with what it is about.
	title(word, color, rest string)
	// note is a line below the title.
	note(text string)
	// blank sets what follows apart.
	blank()
	section(name string)
	// entry begins one of several things in a section; what follows is about it.
	entry(name, rest string)
	paragraph(text string)
	// detail says more about the paragraph before it.
	detail(text string)
	// labelled is a text under a short name; an empty name continues the one before.
	labelled(name, text string)
	// judged is something under its judgement.
	judged(j judged)
	// numbered is one of several findings.
	numbered(n int, text string)
	// heading begins one of several numbered parts.
	heading(n int, title string)
	// remark is a sentence that stands apart.
	remark(text string)
	// shortened is a paragraph whose middle may be cut where room is scarce.
	shortened(head, middle, rest string)
	// at is what happens at a time.
	at(when, text string)
	table(head []string, rows [][]string)
	grid(t grid)
	// command can be copied: it is never broken.
	command(text string)
	// left says how much of a list is not shown, after what stands at that depth.
	left(n int, after depth, one, many string)
	// limit is how many of all are shown.
	limit(few, all int) int
	// excerpt is how many characters of a long text are shown.
	excerpt() int
	// wide reports whether all is shown, rather than one screen.
	wide() bool
}

// judged is a word for how something is, in its colour, and what it is about.
type judged struct {
	word, color string
	name, took  string // of a step; both empty: it is no step
	text, how   string // how to look again, or what to do
}

// depth is where on a page a list stands.
type depth int

const (
	paragraphs depth = iota
	labels
	belowLabels
)

// paged writes one result on any canvas.
type paged[T any] func(canvas, *T)

// text writes it for a terminal.
func (p paged[T]) text(w io.Writer, x *T, style Style) error {
	s := &screen{style: style}
	p(s, cleaned(x))
	_, err := io.WriteString(w, s.String())
	return err
}

// markdown writes it for a ticket.
func (p paged[T]) markdown(w io.Writer, x *T) error {
	t := &ticket{}
	p(t, cleaned(x))
	_, err := io.WriteString(w, t.String())
	return err
}

// html writes it as one self-contained page.
func (p paged[T]) html(w io.Writer, x *T, version string) error {
	page := &webPage{}
	p(page, cleaned(x))
	return page.write(w, version)
}

// tail is what a list that is cut says at its end.
func tail(n int, one, many string) string { return wording.Counted(n, "more "+one, "more "+many) }
