package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"io"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

//go:embed html/style.css
var style string

// newline ends a row or a block, so that the source of a page is readable and two pages can be compared.
var newline = g.Text("\n")

// contentPolicy returns the content security policy. It forbids a browser to load or run anything except the inline style,
// which it allows by hash.
func contentPolicy() string {
	sum := sha256.Sum256([]byte(style))
	return `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-` +
		base64.StdEncoding.EncodeToString(sum[:]) + `'; base-uri 'none'; form-action 'none'">`
}

// writePage writes one whole page around a body.
func writePage(w io.Writer, f frame, body g.Node) error {
	return g.Group{
		h.Doctype(newline),
		h.HTML(h.Lang("en"), newline, drawHead(f.Title), newline, drawBody(f, body), newline),
		newline,
	}.Render(w)
}

func drawHead(title string) g.Node {
	meta := func(name, content string) g.Node {
		return g.Group{h.Meta(h.Name(name), h.Content(content)), newline}
	}
	return h.Head(newline,
		h.Meta(h.Charset("utf-8")), newline,
		g.Raw(contentPolicy()), newline,
		meta("viewport", "width=device-width, initial-scale=1"),
		meta("color-scheme", "light dark"),
		meta("referrer", "no-referrer"),
		h.TitleEl(g.Text(title)), newline,
		h.StyleEl(g.Raw(style)), newline,
	)
}

func drawBody(f frame, body g.Node) g.Node {
	version := ""
	if f.Version != "" {
		version = " " + f.Version
	}
	if f.Knowledge != "" {
		version += ", with the knowledge " + f.Knowledge + ","
	}
	return h.Body(newline, g.Raw(stateShapes), newline,
		h.Main(newline,
			h.Header(newline,
				h.Span(h.Class("verdict "+f.VerdictClass), g.Text(f.Verdict)), newline,
				h.Span(g.Text(f.Source)), newline,
				g.If(f.AsOf != "", h.Span(h.Class("when"), g.Text("as of "+f.AsOf))), newline,
			), newline,
			body, newline,
			h.Footer(g.Text("Made by nodetriage"+version+" from the evidence named above: the same evidence gives the same page. All times are UTC. This file loads nothing and runs no script.")), newline,
		), newline,
	)
}
