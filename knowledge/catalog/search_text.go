package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// mostPages is the maximum number of pages with a significant word.
const mostPages = 25

// searchText finds pages whose text contains all terms, or all but one of four. Pages with the most occurrences come first. If
// some contain the exact phrase, only these are returned. No match is clearly the answer.
func (c *Catalog) searchText(phrase string, asked []string) []Match {
	type page struct {
		match Match
		has   int // number of terms in the page
		often int // occurrences of the rarest term
	}
	var found, whole []page
	phrase = strings.ToLower(strings.TrimSpace(phrase))
	pages := map[string]int{} // pages with a term
	look := func(kind, id, title string, texts ...string) {
		text := strings.Join(texts, "\n")
		if n := strings.Count(strings.ToLower(text), phrase); n > 0 && len(asked) > 1 {
			whole = append(whole, page{Match{Kind: kind, ID: id, Title: title, Score: leastScore}, len(asked), n})
		}
		times := map[string]int{}
		for _, w := range words(text) {
			times[w]++
		}
		p := page{match: Match{Kind: kind, ID: id, Title: title, Score: leastScore, Loose: true}}
		for _, t := range asked {
			if times[t] == 0 {
				continue
			}
			pages[t]++
			if p.has++; p.often == 0 || times[t] < p.often {
				p.often = times[t]
			}
		}
		if p.has > 0 && len(asked)-p.has <= len(asked)/4 {
			found = append(found, p)
		}
	}
	c.eachPage(look)
	if len(whole) > 0 {
		found = whole
	} else if !slices.ContainsFunc(asked, func(t string) bool { return pages[t] <= mostPages }) {
		return nil
	}
	slices.SortStableFunc(found, func(a, b page) int { return cmp.Or(b.has-a.has, b.often-a.often) })
	var out []Match
	for _, p := range found {
		out = append(out, p.match)
	}
	return out
}

// eachPage visits the texts of all questions, causes and symptoms.
func (c *Catalog) eachPage(visit func(kind, id, title string, texts ...string)) {
	for _, q := range c.Questions() {
		visit("Question", q.ID, q.Question, q.Question, q.Answer)
	}
	for _, cause := range c.Causes() {
		texts := []string{cause.Title, cause.Meaning}
		for _, r := range cause.Remedies {
			texts = append(append(texts, r.Title), shell.Strings(r.Commands)...)
		}
		for _, k := range cause.Confirm {
			texts = append(texts, string(k.Run), string(k.Expect))
		}
		visit("Cause", cause.ID, cause.Title, slices.Concat(texts, shell.Strings(Says(cause.Cautions)), shell.Strings(Says(cause.Verify)))...)
	}
	for _, s := range c.Symptoms() {
		texts := []string{s.Title, s.Look}
		for _, k := range s.Checks {
			texts = append(texts, string(k.Run), string(k.Expect))
		}
		visit("Symptom", s.ID, s.Title, texts...)
	}
}
