package report

import (
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/wording"
)

// QuestionPage is a question with its answer, in its stable JSON form.
type QuestionPage struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"` // Question
	ID         string `json:"id"`
	Question   string `json:"question"`
	Answer     string `json:"answer"` // Markdown
	See        []Link `json:"see"`
	Run        string `json:"run,omitempty"` // a command of nodetriage
}

// NewQuestion returns the page of a question; nil if there is none with that id.
func NewQuestion(c *catalog.Catalog, id string) *QuestionPage {
	q := c.Question(id)
	if q == nil {
		return nil
	}
	p := &QuestionPage{APIVersion: evidence.APIVersion, Kind: "Question", ID: q.ID, Question: q.Question, Answer: q.Answer, See: []Link{}, Run: q.Run}
	for _, see := range q.See {
		p.See = append(p.See, link(c, see))
	}
	return p
}

// Question writes a question and its answer for a terminal.
func Question(w io.Writer, p *QuestionPage, style Style) error {
	answer := p.Answer
	p = cleaned(p)
	s := explain{screen{style: style}}
	s.line("%s", s.style.paint(bold, wording.Wrap(p.Question, style.width(), "")))
	s.line("\n%s", strings.TrimRight(markdownText(answer, style), "\n"))
	if p.Run != "" {
		s.line("\nOn your cluster:\n%s%s", margin, s.style.paint(bold, p.Run))
	}
	if len(p.See) > 0 {
		var ids []string
		for _, l := range p.See {
			ids = append(ids, l.ID)
		}
		s.line("%s", wording.Wrap("See also: "+strings.Join(ids, ", "), style.width(), margin))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// QuestionMarkdown writes a question and its answer as Markdown. It links the pages of causes in the folder causes, which is
// empty or ends with a slash.
func QuestionMarkdown(w io.Writer, p *QuestionPage, causes string) error {
	answer := cleanLines(p.Answer)
	p = cleaned(p)
	m := markdown{}
	m.line("# %s\n\n%s", mdText(p.Question), answer)
	if p.Run != "" {
		m.line("\nOn your cluster:\n\n%s", strings.TrimSuffix(mdBlock("sh", "", p.Run), "\n"))
	}
	m.part("See also", apply(p.See, func(l Link) string {
		file := l.ID + ".md"
		if l.Symptom {
			file = "README.md#symptoms"
		}
		return mdPageLink(l.ID, causes+file) + ": " + mdText(l.Title)
	}))
	_, err := io.WriteString(w, m.String())
	return err
}

// Found is the result of a search for words, in its stable JSON form.
type Found struct {
	APIVersion string  `json:"apiVersion"`
	Kind       string  `json:"kind"` // SearchResult
	Words      string  `json:"words"`
	Matches    []Match `json:"matches"` // the best first
	// Loose: no page answers the question. The texts of these have some of its words.
	Loose bool `json:"loose,omitempty"`
}

// Match is one page that was found.
type Match struct {
	Kind  string `json:"kind"` // Cause, Symptom or Question
	ID    string `json:"id"`
	Title string `json:"title"`
}

// mostFound is the maximum number of pages in a search result.
const mostFound = 8

// NewFound returns the best of the matches.
func NewFound(words string, list []catalog.Match) *Found {
	f := &Found{APIVersion: evidence.APIVersion, Kind: "SearchResult", Words: words, Matches: []Match{}, Loose: len(list) > 0 && list[0].Loose}
	for _, m := range list[:min(len(list), mostFound)] {
		f.Matches = append(f.Matches, Match{m.Kind, m.ID, m.Title})
	}
	return f
}

// Matches writes the result of a search for a terminal.
func Matches(w io.Writer, f *Found, style Style) error {
	f = cleaned(f)
	s := explain{screen{style: style}}
	head := "Pages about it, the best match first. One of them: nodetriage explain ID"
	if f.Loose {
		head = "No page answers this question. Pages with some of its words (nodetriage explain ID):"
	}
	s.line("%s", wording.Wrap(head, style.width(), ""))
	for _, m := range f.Matches {
		s.line("%s%-36s %s", margin, m.ID, wording.WrapFrom(m.Title, len(margin)+37, style.width(), margin+strings.Repeat(" ", 37)))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// MatchesMarkdown writes the result of a search as Markdown.
func MatchesMarkdown(w io.Writer, f *Found) error {
	f = cleaned(f)
	m := markdown{}
	head := "Pages about"
	if f.Loose {
		head = "No page answers this question; pages with some of its words"
	}
	m.line("# %s: %s\n", head, mdText(f.Words))
	for _, x := range f.Matches {
		m.line("- %s: %s (%s)", mdCode(x.ID), mdText(x.Title), mdText(strings.ToLower(x.Kind)))
	}
	_, err := io.WriteString(w, m.String())
	return err
}
