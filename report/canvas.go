package report

import (
	"io"

	"github.com/nodetriage/nodetriage/wording"
)

// canvas is the output of a result: a terminal, a ticket, a web page. A result writes its contents in order, and the canvas
// formats them. The canvas escapes texts, once.
type canvas interface {
	// title is the first line: the answer in one word, and its subject.
	title(word, color, rest string)
	// note is a line below the title.
	note(text string)
	// blank separates what follows.
	blank()
	section(name string)
	// entry begins one of several entries in a section.
	entry(name, rest string)
	paragraph(text string)
	// detail adds to the paragraph before it.
	detail(text string)
	// labelled is a text with a short label. An empty label continues the previous one.
	labelled(name, text string)
	// judged is a text with a judgement.
	judged(j judged)
	// numbered is one of several findings.
	numbered(n int, text string)
	// heading begins one of several numbered parts.
	heading(n int, title string)
	// remark is a separate sentence.
	remark(text string)
	// shortened is a paragraph whose middle may be cut where there is little space.
	shortened(head, middle, rest string)
	// at is an event at a time.
	at(when, text string)
	table(head []string, rows [][]string)
	grid(t grid)
	// command can be copied, so it is never wrapped.
	command(text string)
	// left reports how much of a list is not shown. after is the depth of the list.
	left(n int, after depth, one, many string)
	// limit returns how many of all are shown.
	limit(few, all int) int
	// excerpt returns how many characters of a long text are shown.
	excerpt() int
	// wide reports whether everything is shown, rather than one screen.
	wide() bool
}

// judged is a word for a state, in its colour, and the subject.
type judged struct {
	word, color string
	name, took  string // of a step; both empty: not a step
	text        string
}

// depth is the depth of a list on a page.
type depth int

const (
	paragraphs depth = iota
	labels
	belowLabels
)

// paged writes one result on any canvas.
type paged[T any] func(canvas, *T)

// text writes it for a terminal: one screen, or everything.
func (p paged[T]) text(w io.Writer, x *T, style Style) error {
	s := &screen{style: style}
	if !style.Wide {
		o := &outline{screen: s}
		p(o, cleaned(x))
		return o.write(w)
	}
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

// tail returns the last entry of a list that is cut.
func tail(n int, one, many string) string { return wording.Counted(n, "more "+one, "more "+many) }
