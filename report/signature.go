package report

import (
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// SignaturePage is one signature, in its stable JSON form. The fields are described in docs/knowledge.md.
type SignaturePage struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"` // Signature
	ID         string            `json:"id"`
	Component  string            `json:"component"`
	Pattern    string            `json:"pattern"`
	Not        string            `json:"not,omitempty"` // a line that matches this too is ignored
	Says       *Link             `json:"says,omitempty"`
	Certainty  string            `json:"certainty,omitempty"`
	Summary    string            `json:"summary,omitempty"`
	Source     string            `json:"source"` // the source of the wording
	Kinds      []string          `json:"kinds,omitempty"`
	Speakers   []logline.Speaker `json:"speakers,omitempty"`
	With       []string          `json:"with,omitempty"`
	Beside     []string          `json:"beside,omitempty"`
	Unless     []string          `json:"unless,omitempty"`
	Ends       []string          `json:"ends,omitempty"`
	Outlives   []string          `json:"outlives,omitempty"`
}

// NewSignature returns the page of a signature; nil if there is none with that id.
func NewSignature(c *catalog.Catalog, set *signatures.Set, id string) *SignaturePage {
	s := set.Lookup(id)
	if s == nil {
		return nil
	}
	p := &SignaturePage{
		APIVersion: evidence.APIVersion, Kind: "Signature", ID: s.ID, Component: s.Component, Pattern: s.Pattern, Not: s.Not, Certainty: string(s.Certainty), Summary: s.Summary,
		Source: s.Source, Kinds: s.Kinds, Speakers: s.Speakers, With: s.With, Beside: s.Beside, Unless: s.Unless, Ends: s.Ends, Outlives: s.Outlives,
	}
	if s.Says != "" {
		says := link(c, s.Says)
		p.Says = &says
	}
	return p
}

// field is a named part of a page.
type field struct{ name, value string }

// fields returns the parts of the page below its id and cause, without the empty ones.
func (p *SignaturePage) fields() []field {
	var speakers []string
	for _, s := range p.Speakers {
		speakers = append(speakers, string(s))
	}
	ids := func(list []string) string { return strings.Join(list, ", ") }
	var out []field
	for _, f := range []field{
		{"Certainty", p.Certainty}, {"Summary", p.Summary}, {"Pattern", p.Pattern}, {"Not if", p.Not}, {"Text", ids(p.Kinds)}, {"Speakers", ids(speakers)},
		{"With", ids(p.With)}, {"Beside", ids(p.Beside)}, {"Unless", ids(p.Unless)}, {"Ends", ids(p.Ends)}, {"Outlives", ids(p.Outlives)}, {"Source", p.Source},
	} {
		if f.value != "" {
			out = append(out, f)
		}
	}
	return out
}

// Signature writes the page of a signature for a terminal.
func Signature(w io.Writer, p *SignaturePage, style Style) error {
	p = cleaned(p)
	s := explain{screen{style: style}}
	s.line("%s: a signature of %s", s.style.paint(bold, p.ID), p.Component)
	if p.Says != nil {
		s.labelled("Says", p.Says.ID+": "+p.Says.Title)
	}
	for _, f := range p.fields() {
		s.labelled(f.name, f.value)
	}
	if p.Says != nil {
		s.labelled("More", string(shell.Format("nodetriage explain {id}", p.Says.ID)))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// SignatureMarkdown writes the page of a signature as Markdown.
func SignatureMarkdown(w io.Writer, p *SignaturePage) error {
	p = cleaned(p)
	m := markdown{}
	m.line("# %s\n", mdText(p.ID))
	if p.Says != nil {
		m.line("- Says: %s: %s", mdPageLink(p.Says.ID, p.Says.ID+".md"), mdText(p.Says.Title))
	}
	m.line("- Component: %s", mdText(p.Component))
	for _, f := range p.fields() {
		value := mdText(f.value)
		if f.name == "Pattern" || f.name == "Not if" {
			value = mdCode(f.value)
		}
		m.line("- %s: %s", f.name, value)
	}
	_, err := io.WriteString(w, m.String())
	return err
}
