package report

import (
	"bufio"
	"bytes"
	stdhtml "html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer/html"
	mdtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// drawMarkdown draws a page of the catalog. Users can add pages, so the text in every element is escaped. Raw HTML is
// dropped. Of a picture or an unsafe link, only the words are kept.
func drawMarkdown(text string) g.Node {
	m := markdownPage{source: []byte(cleanLines(text))}
	return m.blocks(goldmark.DefaultParser().Parse(mdtext.NewReader(m.source)))
}

// headings are the Markdown headings, by level from 1.
var headings = [6]func(...g.Node) g.Node{h.H1, h.H2, h.H3, h.H4, h.H5, h.H6}

type markdownPage struct{ source []byte }

func (m markdownPage) blocks(parent ast.Node) g.Group {
	var out g.Group
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, m.block(n))
	}
	return out
}

func (m markdownPage) block(n ast.Node) g.Node {
	switch n := n.(type) {
	case *ast.Heading:
		return g.Group{headings[n.Level-1](m.inlines(n)), newline}
	case *ast.Paragraph:
		return g.Group{h.P(m.inlines(n)), newline}
	case *ast.TextBlock:
		return g.Group{m.inlines(n), g.If(n.NextSibling() != nil, newline)}
	case *ast.Blockquote:
		return g.Group{h.BlockQuote(newline, m.blocks(n)), newline}
	case *ast.List:
		return m.list(n)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return g.Group{h.Pre(h.Code(g.Text(string(n.Lines().Value(m.source))))), newline}
	case *ast.ThematicBreak:
		return g.Group{h.Hr(), newline}
	}
	return nil
}

func (m markdownPage) list(n *ast.List) g.Node {
	var entries g.Group
	for entry := n.FirstChild(); entry != nil; entry = entry.NextSibling() {
		_, tight := entry.FirstChild().(*ast.TextBlock)
		loose := entry.FirstChild() != nil && !tight
		entries = append(entries, h.Li(g.If(loose, newline), m.blocks(entry)), newline)
	}
	if !n.IsOrdered() {
		return g.Group{h.Ul(newline, entries), newline}
	}
	return g.Group{h.Ol(g.If(n.Start != 1, number("start", n.Start)), newline, entries), newline}
}

func (m markdownPage) inlines(parent ast.Node) g.Group {
	var out g.Group
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, m.inline(n))
	}
	return out
}

func (m markdownPage) inline(n ast.Node) g.Node {
	switch n := n.(type) {
	case *ast.Text:
		return m.text(n)
	case *ast.String:
		return g.Text(unescaped(n.Value))
	case *ast.CodeSpan:
		return h.Code(g.Text(m.code(n)))
	case *ast.Emphasis:
		if n.Level == 2 {
			return h.Strong(m.inlines(n))
		}
		return h.Em(m.inlines(n))
	case *ast.AutoLink:
		return safeLink(n.URL(m.source), nil, g.Text(string(n.Label(m.source))))
	case *ast.Link:
		return safeLink(n.Destination, n.Title, m.inlines(n))
	case *ast.RawHTML:
		return nil
	}
	return m.inlines(n)
}

func (m markdownPage) text(n *ast.Text) g.Node {
	value := n.Segment.Value(m.source)
	words := string(value)
	if !n.IsRaw() {
		words = unescaped(value)
	}
	switch {
	case n.HardLineBreak():
		return g.Group{g.Text(words), h.Br(), newline}
	case n.SoftLineBreak():
		return g.Text(words + "\n")
	}
	return g.Text(words)
}

// code returns the text between backticks, on one line.
func (m markdownPage) code(span *ast.CodeSpan) string {
	var b strings.Builder
	for n := span.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			b.Write(t.Segment.Value(m.source))
		}
	}
	return strings.ReplaceAll(b.String(), "\n", " ")
}

// unescaped returns a Markdown text without its escapes: the text that goldmark renders as HTML.
func unescaped(source []byte) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	html.DefaultWriter.Write(w, source)
	w.Flush() // writes to memory: cannot fail
	return stdhtml.UnescapeString(b.String())
}

// safeLink draws a link to a safe address. For any other address it draws only the words.
func safeLink(address, title []byte, words g.Node) g.Node {
	to := string(util.URLEscape(address, true))
	if !safeAddress(to) {
		return words
	}
	return h.A(h.Href(to), g.If(title != nil, h.Title(unescaped(title))), words)
}

// safeAddress reports whether a link only opens a page: http, https, or a fragment of the same page.
func safeAddress(address string) bool {
	address = strings.ToLower(address)
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "#")
}

// cleanLines is Clean for a text that keeps its lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(Clean(l), " ")
	}
	return strings.Join(lines, "\n")
}
