package report

import (
	"io"
	"slices"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// CheckPage is a check of nodetriage check, in its stable JSON form.
type CheckPage struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Check
	ID         string `json:"id"`
	Title      string `json:"title"`
	Risk       string `json:"risk"` // high, medium or low
	Why        string `json:"why"`
	Fix        string `json:"fix"`
	// Except is an entry for the file of --exceptions.
	Except string `json:"except"`
}

// NewCheckPage returns the page of a check; nil if there is none with that id.
func NewCheckPage(all []check.Description, id string) *CheckPage {
	i := slices.IndexFunc(all, func(d check.Description) bool { return d.ID == id })
	if i < 0 {
		return nil
	}
	d := all[i]
	return &CheckPage{APIVersion: evidence.APIVersion, Kind: "Check", ID: d.ID, Title: d.Title, Risk: string(d.Harm), Why: d.Why, Fix: capital(d.Fix) + ".",
		Except: "{cause: " + d.ID + ", subject: KIND/NAMESPACE/NAME, until: YYYY-MM-DD, why: REASON, who: NAME}"}
}

// CheckText writes the page of a check for a terminal.
func CheckText(w io.Writer, p *CheckPage, style Style) error {
	p = cleaned(p)
	s := explain{screen{style: style}}
	s.line("%s", style.paint(bold, wording.Wrap(p.Title, style.width(), "")))
	s.line("%s: check, risk: %s", p.ID, p.Risk)
	s.line("\n%s", wording.Wrap(p.Why, style.width(), ""))
	s.section("Fix")
	s.paragraph(p.Fix)
	s.section("Find it in your cluster")
	s.line("%s%s", margin, style.paint(bold, "nodetriage check"))
	s.section("Accept it until a date (file for --exceptions)")
	s.line("%sexceptions:\n%s- %s", margin, margin, p.Except)
	_, err := io.WriteString(w, s.String())
	return err
}

// CheckMarkdown writes the page of a check as Markdown.
func CheckMarkdown(w io.Writer, p *CheckPage) error {
	p = cleaned(p)
	m := markdown{}
	m.line("# %s\n", mdText(p.Title))
	m.check(p)
	m.block("yaml", "exceptions:", "- "+p.Except)
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *markdown) check(p *CheckPage) {
	m.line("%s: risk %s. %s\n\nFix: %s", mdCode(p.ID), mdText(p.Risk), mdText(p.Why), mdText(p.Fix))
}

// ChecksMarkdown writes all checks as one page of Markdown.
func ChecksMarkdown(w io.Writer, all []check.Description) error {
	m := markdown{}
	m.line("# Checks\n\nRisks that `nodetriage check` finds before a drain, an upgrade or the loss of a node. `nodetriage explain ID` prints one of them.")
	for _, d := range all {
		p := cleaned(NewCheckPage(all, d.ID))
		m.line("\n## %s\n", mdText(p.Title))
		m.check(p)
	}
	_, err := io.WriteString(w, m.String())
	return err
}
