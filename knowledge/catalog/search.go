package catalog

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Match is a cause, symptom or question in a search result.
type Match struct {
	Kind  string  // Cause, Symptom or Question
	ID    string  // unique over all kinds
	Title string  // of a question: the question
	Score float64 // 0 to 1: how much of the query is in it, and how much of it is in the query
	Loose bool    // only its text has words of the query, in any order
}

// Scores of Search.
const (
	leastScore = 0.42 // the minimum for a match
	clearScore = 0.6  // the minimum for the answer
	clearLead  = 1.2  // the minimum ratio to the next score
	sameScore  = 0.95 // the minimum for a wording with the same words
)

// Search finds causes, symptoms and questions by their words, the best match first.
func (c *Catalog) Search(text string) []Match {
	asked := terms(text)
	if len(asked) == 0 {
		return nil
	}
	list := c.searched()
	rarity := rarities(list)
	var out []Match
	for _, e := range list {
		for _, wording := range e.wordings {
			e.match.Score = max(e.match.Score, likeness(asked, wording, rarity))
		}
		if e.match.Score >= leastScore {
			out = append(out, e.match)
		}
	}
	if len(out) == 0 {
		return c.searchText(text, asked)
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// Named returns the id of the page that lists exactly this text as a search term, in any case; "" if none does.
func (c *Catalog) Named(text string) string {
	text = strings.TrimSpace(text)
	has := func(asked []string) bool {
		return slices.ContainsFunc(asked, func(term string) bool { return strings.EqualFold(term, text) })
	}
	for _, q := range c.Questions() {
		if has(q.Asked) {
			return q.ID
		}
	}
	for _, cause := range c.Causes() {
		if has(cause.Asked) {
			return cause.ID
		}
	}
	for _, s := range c.Symptoms() {
		if has(s.Asked) {
			return s.ID
		}
	}
	return ""
}

// Clear reports whether the first match is clearly the answer.
func Clear(list []Match) bool {
	return len(list) > 0 && list[0].Score >= clearScore && (len(list) == 1 || list[0].Score >= clearLead*list[1].Score)
}

// Same reports whether the first match has a wording with the same words, other than fillers.
func Same(list []Match) bool { return Clear(list) && list[0].Score >= sameScore }

// entry is a page with the terms of each of its wordings.
type entry struct {
	match    Match
	wordings [][]string
}

// searched lists all pages, questions first, because a question wins a tie.
func (c *Catalog) searched() []entry {
	var out []entry
	add := func(kind, id, title string, others ...string) {
		e := entry{match: Match{Kind: kind, ID: id, Title: title}}
		for _, text := range append([]string{id, title}, others...) {
			e.wordings = append(e.wordings, terms(text))
		}
		out = append(out, e)
	}
	for _, q := range c.Questions() {
		add("Question", q.ID, q.Question, q.Asked...)
	}
	for _, cause := range c.Causes() {
		add("Cause", cause.ID, cause.Title, cause.Asked...)
	}
	for _, s := range c.Symptoms() {
		add("Symptom", s.ID, s.Title, s.Asked...)
	}
	return out
}

// rarities weighs each term. A rare term weighs more than a common one.
func rarities(list []entry) map[string]float64 {
	pages := map[string]int{}
	for _, e := range list {
		seen := map[string]bool{}
		for _, w := range e.wordings {
			for _, t := range w {
				seen[t] = true
			}
		}
		for t := range seen {
			pages[t]++
		}
	}
	out := map[string]float64{}
	for t, n := range pages {
		out[t] = math.Log(1 + float64(len(list))/float64(n))
	}
	return out
}

// likeness returns the weight of the common terms, divided by the mean of both weights.
func likeness(a, b []string, rarity map[string]float64) float64 {
	strange := math.Log(1 + float64(len(rarity)))
	var shared, total float64
	weigh := func(t string) float64 {
		if w, known := rarity[t]; known {
			return w
		}
		return strange
	}
	for _, t := range a {
		total += weigh(t)
		if slices.Contains(b, t) {
			shared += weigh(t)
		}
	}
	for _, t := range b {
		total += weigh(t)
	}
	if total == 0 {
		return 0
	}
	return 2 * shared / total
}

// fillers are words that do not affect a search.
var fillers = strings.Fields(`a an the i me my you your we our it its this that these those is are was were be been am do does did
	can could will would shall should may might have has had of to in on at for from by with as and or but so if then when what
	why how which who where there here not no yes any some all just only still again please kubernetes k8s cluster mean means
	get gets got go goes keep keeps show shows happen happens about up one two`)

// oneWord unifies spellings.
var oneWord = strings.NewReplacer("not ready", "notready", "not-ready", "notready", "node pool", "nodepool", "node-pool", "nodepool",
	"pod disruption budget", "pdb", "disruption budget", "pdb", "poddisruptionbudget", "pdb",
	"doesn't", "", "don't", "", "isn't", "", "aren't", "", "can't", "", "won't", "")

// terms returns the distinct words of a text without fillers and endings.
func terms(text string) []string {
	var out []string
	for _, word := range words(text) {
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

// words returns the words of a text without fillers and endings, with repetitions.
func words(text string) []string {
	text = oneWord.Replace(strings.ToLower(text))
	var out []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !slices.Contains(fillers, word) {
			out = append(out, stem(word))
		}
	}
	return out
}

// stem removes English endings that do not affect a search.
func stem(word string) string {
	for _, ending := range []string{"ing", "ure", "ed", "es", "s", "e"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= 3 && !strings.HasSuffix(word, "ss") {
			return rest
		}
	}
	return word
}
