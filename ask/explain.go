package ask

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// Explanation is the result of Explain. Exactly one field is set.
type Explanation struct {
	Page      *report.Page          // of a cause or symptom
	Question  *report.QuestionPage  // with its answer
	Signature *report.SignaturePage // of a log message
	Check     *report.CheckPage     // of a check of nodetriage check
	Found     *report.Found         // several pages
	Index     *report.Index         // all pages, if there was no query
}

// ExplainOptions are the options of Explain.
type ExplainOptions struct {
	// Words are an id of the catalog or of a signature, an error code, a message or a question. If empty, all pages are
	// listed.
	Words []string
}

// Explain finds the page of a cause, symptom, question or signature by its id, by an error code or message that it explains, or by its words.
func Explain(k *Knowledge, opt ExplainOptions) (*Explanation, error) {
	if len(opt.Words) == 0 {
		return &Explanation{Index: report.NewIndex(k.Catalog, check.Described())}, nil
	}
	words := strings.Join(opt.Words, " ")
	if x := pageOf(k, words); x != nil {
		return x, nil
	}
	if id := k.Catalog.Named(words); id != "" {
		return pageOf(k, id), nil
	}
	found := k.Catalog.Search(words)
	if catalog.Same(found) {
		return pageOf(k, found[0].ID), nil
	}
	if said := saidBy(k, asLogged(words)); len(said) > 0 {
		return bestOf(k, words, said), nil
	}
	near := nearPage(k, words)
	if isID := strings.Contains(words, "-") && !strings.ContainsAny(words, " ?"); near != "" && (isID || len(found) == 0) {
		return nil, hintf("did you mean "+near+"?", "no page is called %q", words)
	}
	if len(found) == 0 {
		return nil, hintf("nodetriage explain --list lists all pages", "no page contains %q", words)
	}
	alone := len(found) == 1 && !found[0].Loose
	if alone || catalog.Clear(found) {
		return pageOf(k, found[0].ID), nil
	}
	return &Explanation{Found: report.NewFound(words, found)}, nil
}

// bootstrapExit returns how people write the exit code of a bootstrap script: the text and the number; nil if it is none.
func bootstrapExit(text string) []string {
	return regexp.MustCompile(`(?i)^(?:vmss)?cse (?:exit|error|failed)(?: (?:code|status))?[ =:]*([0-9]{1,3})$`).FindStringSubmatch(text)
}

// asLogged returns a query in the form of a log message.
func asLogged(words string) string {
	if m := bootstrapExit(words); m != nil {
		return "vmssCSE exit status=" + m[1]
	}
	return words
}

// pageOf returns the page with that id; nil if there is none.
func pageOf(k *Knowledge, id string) *Explanation {
	if page := report.NewPage(k.Catalog, k.Signatures, id); page != nil {
		return &Explanation{Page: page}
	}
	if q := report.NewQuestion(k.Catalog, id); q != nil {
		return &Explanation{Question: q}
	}
	if c := report.NewCheckPage(check.Described(), id); c != nil {
		return &Explanation{Check: c}
	}
	if sig := report.NewSignature(k.Catalog, k.Signatures, id); sig != nil {
		return &Explanation{Signature: sig}
	}
	return nil
}

// saidBy returns the pages of the causes that signatures detect in a message or an error code.
func saidBy(k *Knowledge, asked string) []catalog.Match {
	var out []catalog.Match
	for _, sig := range k.Signatures.About(asked) {
		page := report.NewPage(k.Catalog, k.Signatures, sig.Says)
		if page == nil || slices.ContainsFunc(out, func(m catalog.Match) bool { return m.ID == page.ID }) {
			continue
		}
		out = append(out, catalog.Match{Kind: page.Kind, ID: page.ID, Title: page.Title})
	}
	return out
}

// bestOf returns the page that matches a code or message best, with the names of the other pages. A page matches best if its id and
// title contain the words of the code. If none does, the only symptom is what the message literally says, and its page names the
// causes. Without a clear best page it returns the list of all.
func bestOf(k *Knowledge, words string, said []catalog.Match) *Explanation {
	scores := map[string]float64{}
	for _, m := range k.Catalog.Search(wordsOf(words)) {
		scores[m.ID] = m.Score
	}
	slices.SortStableFunc(said, func(a, b catalog.Match) int { return cmp.Compare(scores[b.ID], scores[a.ID]) })
	const lead = 1.15 // of the best over the next
	switch at := slices.IndexFunc(said, isSymptom); {
	case len(said) == 1 || scores[said[0].ID] > 0 && scores[said[0].ID] >= lead*scores[said[1].ID]:
	case scores[said[0].ID] > 0 || at < 0 || slices.ContainsFunc(said[at+1:], isSymptom):
		return &Explanation{Found: report.NewFound(words, said)}
	default:
		said[0], said[at] = said[at], said[0]
	}
	x := pageOf(k, said[0].ID)
	var others []string
	for _, m := range said[1:] {
		others = append(others, m.ID)
	}
	x.Page.AddAlso(k.Catalog, others)
	return x
}

func isSymptom(m catalog.Match) bool { return m.Kind == "Symptom" }

// wordsOf separates the words of a code such as QuotaExceeded.
func wordsOf(code string) string {
	var b strings.Builder
	before := ' '
	for _, r := range strings.ReplaceAll(code, "_", " ") {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// nearPage returns the id of the page that is closest to a typing error; "" if none is.
func nearPage(k *Knowledge, typed string) string {
	var ids []string
	for _, c := range k.Catalog.Causes() {
		ids = append(ids, c.ID)
	}
	for _, s := range k.Catalog.Symptoms() {
		ids = append(ids, s.ID)
	}
	for _, q := range k.Catalog.Questions() {
		ids = append(ids, q.ID)
	}
	ids = append(ids, check.Checks()...)
	if near := wording.Nearest(typed, ids); near != "" {
		return near
	}
	ids = ids[:0]
	for _, s := range k.Signatures.All() {
		ids = append(ids, s.ID)
	}
	return wording.Nearest(typed, ids)
}
