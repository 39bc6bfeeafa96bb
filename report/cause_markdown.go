package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// PageMarkdown writes a page of the catalog as Markdown. Links to other pages are files in the same folder.
func PageMarkdown(w io.Writer, p *Page) error {
	meaning := cleanLines(p.Meaning)
	p = cleaned(p)
	m := markdown{}
	m.line("# %s\n", mdText(p.Title))
	if p.Kind == "Symptom" {
		m.line("%s is a symptom: an effect with several possible causes. %s: %s.", mdCode(p.ID), narrowDown, mdText(p.Look))
	} else {
		m.line("%s. Severity: %s. Layer: %s. Scope: %s.", mdCode(p.ID), p.Severity, mdText(p.Layer), mdText(p.Scope))
		if p.Impact != "" {
			m.line("\nImpact: %s.", mdText(p.Impact))
		}
		m.line("\n%s", meaning)
	}
	if len(p.Also) > 0 {
		m.line("\nAlso: %s", strings.Join(apply(p.Also, mdLink), ", "))
	}
	m.part(forms, apply(p.Forms, mdText))
	if len(p.Confirm) > 0 {
		m.line("\n## %s", confirmTitle(p))
		for i, c := range p.Confirm {
			if where := p.whereOf(i); where != "" {
				m.line("\n%s:", mdProse(where))
			}
			m.line("\n%s\n\n%s.", strings.TrimSuffix(mdBlock("sh", "", string(c.Run)), "\n"), mdProse(p.expects(c)))
		}
	}
	before, cautions := preconditions(p.Cautions)
	m.part(beforeFixes, apply(apply(before, capital), mdProse))
	if len(p.Remedies) > 0 {
		m.line("\n## " + fixes)
	}
	for i, r := range p.Remedies {
		m.line("\n%d. %s (%s)", i+1, mdProse(r.Title), mdText(riskSays(r)))
		if len(r.Commands) > 0 {
			m.WriteString("\n" + mdBlock("sh", "   ", shell.Strings(atPlaces(&r, r.Commands))...))
		}
	}
	for _, part := range []struct {
		title string
		items []string
	}{
		{"Verify", apply(shell.Strings(p.Verify), mdProse)}, {"Caution", apply(shell.Strings(cautions), mdProse)},
		{"Effects", apply(p.Explains, mdLink)}, {"Possible causes", apply(p.ExplainedBy, mdLink)},
		{confused, apply(p.Supersedes, mdLink)},
	} {
		m.part(part.title, part.items)
	}
	m.messages(p.Messages)
	m.part("Sources", apply(p.References, mdText))
	_, err := io.WriteString(w, m.String())
	return err
}

// part writes a list of Markdown texts under a heading.
func (m *markdown) part(title string, items []string) {
	if len(items) == 0 {
		return
	}
	m.line("\n## %s\n", title)
	for _, item := range items {
		m.line("- %s", item)
	}
}

func mdLink(l Link) string {
	file := l.ID + ".md"
	if l.Symptom {
		file = "README.md#symptoms"
	}
	return mdPageLink(l.ID, file) + ": " + mdText(l.Title)
}

// kebab matches ids. Other texts do not become links.
var kebab = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func mdPageLink(id, file string) string {
	if !kebab.MatchString(id) {
		return mdCode(id)
	}
	return "[" + mdCode(id) + "](" + file + ")"
}

// componentWords are the names of components that have only a short name in the signatures.
var componentWords = map[string]string{
	"words": "free text", "usual": "common messages", "report": "titles of reports", "kcm": "kube-controller-manager",
	"ccm": "cloud-controller-manager", "othercni": "other network plugins",
}

func componentSays(id string) string { return cmp.Or(componentWords[id], id) }

func (m *markdown) messages(list []Message) {
	if len(list) == 0 {
		return
	}
	m.line("\n## Detected by\n\nnodetriage finds this cause if a log line or message matches one of these patterns (regular expressions). The heading above a\npattern shows how certain the finding is if only this pattern matches. The source is the code or the text that contains the message.\n\nThe name before a pattern is the program (kubelet), the platform (aws) or the area (volume) of the message. Several programs write\n\"common messages\". People write \"free text\" and \"titles of reports\" (titles of issues).")
	certainty := ""
	for _, x := range list {
		if x.Certainty != certainty {
			certainty = x.Certainty
			m.line("\n### %s\n", capital(mdText(certainty)))
		}
		together := ""
		if x.Together {
			together = " (only together with another message)"
		}
		m.line("- %s: %s%s. Source: %s.", mdText(componentSays(x.Component)), mdCode(x.Pattern), together, mdText(strings.TrimSuffix(x.Source, ".")))
	}
}

// IndexMarkdown writes the list of causes and symptoms as Markdown.
func IndexMarkdown(w io.Writer, x *Index) error {
	x = cleaned(x)
	m := markdown{}
	m.line("# Causes")
	m.line("\nCauses that nodetriage finds, from the VM up. Each page explains the cause, and has checks, fixes and verification.\n`nodetriage explain ID` prints it.")
	for _, l := range x.Layers {
		m.line("\n## %s\n", mdText(l.Name))
		for _, c := range l.Causes {
			m.line("- %s: %s (%s)", mdPageLink(c.ID, c.ID+".md"), mdText(c.Title), c.Severity)
		}
	}
	m.line("\n## Symptoms\n\nEffects with several possible causes.\n")
	for _, s := range x.Symptoms {
		m.line("- %s: %s", mdCode(s.ID), mdText(s.Title))
	}
	if len(x.Questions) > 0 {
		m.line("\n## Questions\n\n`nodetriage explain WORDS...` finds them by their words.\n")
	}
	for _, q := range x.Questions {
		m.line("- %s: %s", mdPageLink(q.ID, "../questions/"+q.ID+".md"), mdText(q.Title))
	}
	if len(x.Checks) > 0 {
		m.line("\n## Checks\n\n`nodetriage check` finds these risks before a drain or an upgrade: [checks](../checks.md).")
	}
	_, err := io.WriteString(w, m.String())
	return err
}
