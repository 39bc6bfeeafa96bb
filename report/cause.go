package report

import (
	"cmp"
	"slices"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Page is everything the catalog contains about one cause or symptom, in its stable JSON form.
type Page struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Cause or Symptom
	ID         string `json:"id"`
	Title      string `json:"title"`
	// The following four are set for causes only.
	Layer    string           `json:"layer,omitempty"`
	Severity catalog.Severity `json:"severity,omitempty"`
	Scope    string           `json:"scope,omitempty"`
	Impact   string           `json:"impact,omitempty"`
	Meaning  string           `json:"meaning,omitempty"` // Markdown
	Look     string           `json:"look,omitempty"`    // of a symptom: the evidence that distinguishes its causes
	// Forms are the titles of the forms of a cause that have their own title.
	Forms []string `json:"forms,omitempty"`
	// FormOf names the form of the cause that a check is only for, by the number of the check; "" for any form.
	FormOf   []string         `json:"-"`
	Confirm  []catalog.Check  `json:"confirm"` // of a symptom: commands that show the evidence that distinguishes its causes
	Remedies []catalog.Remedy `json:"remedies"`
	Verify   []shell.Text     `json:"verify"`
	Cautions []shell.Text     `json:"cautions"`
	// Explains lists direct effects; ExplainedBy lists direct causes.
	Explains    []Link `json:"explains"`
	ExplainedBy []Link `json:"explainedBy"`
	Supersedes  []Link `json:"supersedes"` // causes that this one is often mistaken for
	// Also are other pages about the code or message that was asked for.
	Also       []Link    `json:"also,omitempty"`
	Messages   []Message `json:"messages"`
	References []string  `json:"references"`
}

// Link is another cause or symptom.
type Link struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Symptom bool   `json:"symptom,omitempty"`
}

// Message is a signature that detects the cause or symptom.
type Message struct {
	ID        string `json:"id"`
	Component string `json:"component"`
	Certainty string `json:"certainty,omitempty"`
	Pattern   string `json:"pattern"`
	Source    string `json:"source"`
	Together  bool   `json:"-"` // the pattern counts only if another message is there
}

// NewPage returns the page of a cause or a symptom; nil if there is none with that id.
func NewPage(c *catalog.Catalog, set *signatures.Set, id string) *Page {
	p := &Page{
		APIVersion: evidence.APIVersion, ID: id, Confirm: []catalog.Check{}, Remedies: []catalog.Remedy{}, Verify: []shell.Text{},
		Cautions: []shell.Text{}, Explains: []Link{}, ExplainedBy: []Link{}, Supersedes: []Link{}, Messages: messages(set, id), References: []string{},
	}
	switch cause, symptom := c.Cause(id), c.Symptom(id); {
	case cause != nil:
		p.Kind, p.Title, p.Layer, p.Severity, p.Scope, p.Meaning = "Cause", cause.Title, cause.Layer, cause.Severity, cause.Scope, cause.Meaning
		p.Impact = cause.Impact
		p.steps(cause)
		p.References = append(p.References, cause.References...)
		for _, e := range cause.Explains {
			p.Explains = append(p.Explains, link(c, e))
		}
		for _, s := range cause.Supersedes {
			p.Supersedes = append(p.Supersedes, link(c, s))
		}
	case symptom != nil:
		p.Kind, p.Title, p.Look = "Symptom", symptom.Title, symptom.Look
		p.checks(symptom.Checks)
	default:
		return nil
	}
	for _, by := range c.ExplainedBy(id) {
		p.ExplainedBy = append(p.ExplainedBy, link(c, by.ID))
	}
	return p
}

// steps copies the forms, checks and remedies, with placeholders for names.
func (p *Page) steps(cause *catalog.Cause) {
	for _, v := range cause.Variants {
		if v.Title != "" {
			p.Forms = append(p.Forms, v.Title)
		}
	}
	confirm := slices.SortedStableFunc(slices.Values(cause.Confirm), func(a, b catalog.Check) int { return generalFirst(a.Fit, b.Fit) })
	p.checks(confirm)
	for _, k := range confirm {
		p.FormOf = append(p.FormOf, formTitle(cause, k.Variants))
	}
	remedies := slices.SortedStableFunc(slices.Values(cause.Remedies), func(a, b catalog.Remedy) int {
		return cmp.Or(cmp.Compare(catalog.RiskRank(a.Risk), catalog.RiskRank(b.Risk)), generalFirst(a.Fit, b.Fit))
	})
	for _, r := range remedies {
		r.Commands = apply(r.Commands, triage.Unfilled)
		p.Remedies = append(p.Remedies, r)
	}
	verify := slices.SortedStableFunc(slices.Values(cause.Verify), func(a, b catalog.Note) int { return generalFirst(a.Fit, b.Fit) })
	p.Verify = apply(catalog.Says(verify), triage.Unfilled)
	p.Cautions = apply(catalog.Says(cause.Cautions), triage.Unfilled)
}

// generalFirst puts what fits any evidence before what only fits a form, a platform or a message, because a page has no evidence.
func generalFirst(a, b catalog.Fit) int {
	special := func(f catalog.Fit) int { return min(1, len(f.Variants)+len(f.Platforms)+len(f.When)) }
	return cmp.Compare(special(a), special(b))
}

// formTitle returns the title of the only form in a list; "" if there are several, or it has no title.
func formTitle(cause *catalog.Cause, forms []string) string {
	if len(forms) != 1 {
		return ""
	}
	i := slices.IndexFunc(cause.Variants, func(v catalog.Variant) bool { return v.ID == forms[0] })
	return cause.Variants[i].Title
}

func (p *Page) checks(list []catalog.Check) {
	for _, k := range list {
		p.Confirm = append(p.Confirm, catalog.Check{Run: triage.Unfilled(k.Run), Where: k.Where, Expect: triage.Unfilled(k.Expect)})
	}
}

// AddAlso adds other pages about the code or message that was asked for.
func (p *Page) AddAlso(c *catalog.Catalog, ids []string) {
	for _, id := range ids {
		p.Also = append(p.Also, link(c, id))
	}
}

// alsoSays names the other pages with their titles.
func alsoSays(p *Page) string {
	return wording.Some(apply(p.Also, func(l Link) string { return l.ID + " (" + l.Title + ")" }))
}

func link(c *catalog.Catalog, id string) Link {
	if cause := c.Cause(id); cause != nil {
		return Link{ID: id, Title: cause.Title}
	}
	l := Link{ID: id, Symptom: true}
	if s := c.Symptom(id); s != nil {
		l.Title = s.Title
	}
	return l
}

// messages returns the signatures of the id, the most certain first.
func messages(set *signatures.Set, id string) []Message {
	out := []Message{}
	for _, s := range set.All() {
		if s.Says == id {
			out = append(out, Message{ID: s.ID, Component: s.Component, Certainty: string(s.Certainty), Pattern: s.Pattern, Source: s.Source, Together: len(s.With)+len(s.Beside) > 0})
		}
	}
	order := []string{string(signatures.Certain), string(signatures.Likely), string(signatures.Possible), ""}
	slices.SortStableFunc(out, func(a, b Message) int {
		return slices.Index(order, a.Certainty) - slices.Index(order, b.Certainty)
	})
	return out
}

// Index lists all causes by layer, all symptoms and all questions.
type Index struct {
	APIVersion string  `json:"apiVersion"`
	Kind       string  `json:"kind"`
	Layers     []Layer `json:"layers"`
	Symptoms   []Link  `json:"symptoms"`
	Questions  []Link  `json:"questions"`
	Checks     []Link  `json:"checks"` // of nodetriage check
}

// Layer lists the causes of one layer of a node or of its environment.
type Layer struct {
	Name   string      `json:"name"`
	Causes []CauseLine `json:"causes"`
}

// CauseLine is a cause in a list.
type CauseLine struct {
	ID       string           `json:"id"`
	Title    string           `json:"title"`
	Severity catalog.Severity `json:"severity"`
}

// NewIndex lists the pages of the catalog and of the checks.
func NewIndex(c *catalog.Catalog, checks []check.Description) *Index {
	out := &Index{APIVersion: evidence.APIVersion, Kind: "CauseList", Layers: []Layer{}, Symptoms: []Link{}, Questions: []Link{}, Checks: []Link{}}
	for _, name := range catalog.Layers {
		l := Layer{Name: name}
		for _, cause := range c.Causes() {
			if cause.Layer == name {
				l.Causes = append(l.Causes, CauseLine{cause.ID, cause.Title, cause.Severity})
			}
		}
		if len(l.Causes) > 0 {
			out.Layers = append(out.Layers, l)
		}
	}
	for _, s := range c.Symptoms() {
		out.Symptoms = append(out.Symptoms, Link{ID: s.ID, Title: s.Title, Symptom: true})
	}
	for _, q := range c.Questions() {
		out.Questions = append(out.Questions, Link{ID: q.ID, Title: q.Question})
	}
	for _, k := range checks {
		out.Checks = append(out.Checks, Link{ID: k.ID, Title: k.Title})
	}
	return out
}
