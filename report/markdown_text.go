package report

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	mdtext "github.com/yuin/goldmark/text"

	"github.com/nodetriage/nodetriage/wording"
)

// markdownText formats a page of the catalog for a terminal: paragraphs, lists, headings and code blocks, wrapped to the
// width. Other markup is shown as text.
func markdownText(source string, style Style) string {
	src := []byte(cleanLines(source))
	r := markdownLayout{src: src, style: style}
	r.blocks(goldmark.DefaultParser().Parse(mdtext.NewReader(src)), "")
	return r.String()
}

type markdownLayout struct {
	strings.Builder
	src   []byte
	style Style
}

func (r *markdownLayout) blocks(parent ast.Node, indent string) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if r.Len() > 0 && n.PreviousSibling() != nil && n.Kind() != ast.KindListItem && n.Kind() != ast.KindTextBlock {
			r.WriteByte('\n')
		}
		switch n := n.(type) {
		case *ast.Heading:
			r.WriteString(indent + r.style.paint(bold, r.inline(n)) + "\n")
		case *ast.Paragraph, *ast.TextBlock:
			r.WriteString(indent + wording.WrapFrom(r.inline(n), len(indent), r.style.width(), indent) + "\n")
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				r.WriteString(indent + "    " + strings.TrimRight(string(line.Value(r.src)), "\n") + "\n")
			}
		case *ast.ListItem:
			r.WriteString(indent + "- ")
			r.item(n, indent+"  ")
		case *ast.HTMLBlock:
		default:
			r.blocks(n, indent)
		}
	}
}

// item writes the blocks of a list item, the first on the line of its mark.
func (r *markdownLayout) item(n ast.Node, indent string) {
	first := n.FirstChild()
	if first == nil {
		r.WriteByte('\n')
		return
	}
	rest := markdownLayout{src: r.src, style: r.style}
	rest.blocks(n, indent)
	r.WriteString(strings.TrimPrefix(rest.String(), indent))
}

// inline returns the text of a paragraph on one line. Without colour, code keeps its backticks.
func (r *markdownLayout) inline(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(r.src))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.CodeSpan:
			b.WriteString("`" + r.inline(n) + "`")
		case *ast.AutoLink:
			b.Write(n.Label(r.src))
		case *ast.Link:
			b.WriteString(r.inline(n) + " (" + string(n.Destination) + ")")
		case *ast.RawHTML:
		default:
			b.WriteString(r.inline(n))
		}
	}
	return b.String()
}
