package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/wording"
)

// proof is a piece of evidence, with the other places that have the same text.
type proof struct {
	evidence.Ref
	also int
}

// times matches the count in the locator of a repeated line.
var times = lazyregexp.New(` ?\(\d+ times\)$`)

// proofs joins pieces of evidence with the same text, in their order. The same text on fifty nodes is one proof, and so is a
// line that two rules reference.
func proofs(refs []evidence.Ref) []proof {
	var out []proof
	at := map[string]int{}
	places := map[string]bool{}
	for _, ref := range refs {
		text := strings.Join(strings.Fields(ref.Text), " ") // as it is shown
		place := text + "\x00" + ref.Source + "\x00" + times.ReplaceAllString(ref.Locator, "")
		i, known := at[text]
		switch {
		case !known || text == "":
			at[text] = len(out)
			out = append(out, proof{Ref: ref})
		case places[place]:
			if p := &out[i]; p.Source == ref.Source && len(ref.Locator) > len(p.Locator) {
				p.Locator = ref.Locator // the one that counts
			}
			if out[i].Hit == "" {
				out[i].Hit = ref.Hit
			}
		default:
			out[i].also++
		}
		places[place] = true
	}
	return out
}

// recognised returns the first proof with a part that a signature matched, or -1.
func recognised(list []proof) int {
	return slices.IndexFunc(list, func(p proof) bool { return p.Hit != "" })
}

// best returns the most significant proof; nil if there is none.
func best(refs []evidence.Ref) *proof {
	list := proofs(refs)
	if len(list) == 0 {
		return nil
	}
	return &list[max(recognised(list), 0)]
}

// place returns the location of the proof, and its writer if that is an application.
func (p proof) place() string {
	by := ""
	if p.By == evidence.ByApplication {
		by = evidence.WrittenByApplication
	}
	return joined(" ", p.Source, p.Locator, by)
}

// where returns the location of the proof, and how many more there are.
func (p proof) where() string {
	out := p.place()
	if p.also > 0 {
		out += ", and " + wording.Counted(p.also, "more place says", "more places say") + " the same"
	}
	return out
}

// longestHit limits how much of a hit is shown. A pattern may match a line as long as its file.
const longestHit = 1000

// decisive returns the hit, up to the end of an innermost error that begins in it. A pattern may end in the middle of a message.
func (p proof) decisive() string {
	at := strings.Index(p.Text, p.Hit)
	if p.Hit == "" || at < 0 {
		return p.Hit
	}
	end := at + len(p.Hit)
	for _, m := range innermostErrors.FindAllStringSubmatchIndex(p.Text, -1) {
		if m[0] < end && m[1] > end {
			return p.Text[at:m[1]]
		}
	}
	return p.Hit
}

// marks is the length of the marks of two cuts.
const marks = 2 * (len(ellipsis) + 1)

// says returns the proof in about n characters. It contains the whole hit, even if that is longer.
func (p proof) says(n int) string {
	where := p.where()
	return where + ": " + p.cut(ends([]rune(p.decisive()), longestHit), max(n-utf8.RuneCountInString(where)-2, 80))
}

// brief returns the proof in at most n characters. If there is not enough space, it drops the location before the hit.
func (p proof) brief(n int) string {
	where := p.place()
	room := n - 2 - utf8.RuneCountInString(where)
	if utf8.RuneCountInString(p.Text) > room {
		where = shortenMiddle(where, max(min(n/2, n-2-marks-utf8.RuneCountInString(cmp.Or(p.decisive(), p.Text))), n/3))
		if room = n - 2 - utf8.RuneCountInString(where); utf8.RuneCountInString(p.Text) > room {
			room -= marks
		}
	}
	if says, ok := p.withReason(room); ok {
		return where + ": " + says
	}
	return where + ": " + p.cut(ends([]rune(p.decisive()), room), room)
}

// withReason shortens a hit that takes nearly all of n characters in its middle, so that the reason after it fits too. ok reports whether
// there is such a hit and a reason.
func (p proof) withReason(n int) (says string, ok bool) {
	hit := p.decisive()
	at := strings.Index(p.Text, hit)
	if hit == "" || at < 0 {
		return "", false
	}
	rest := p.Text[at+len(hit):]
	long := utf8.RuneCountInString(hit) > n-leastEnd && utf8.RuneCountInString(p.Text) > n
	if !long || len(rest) < leastEnd || n < 4*leastEnd || innermostOf(p.Text) != "" {
		return "", false
	}
	lead := ""
	if at > 0 {
		lead = ellipsis + " "
	}
	reason := excerpt(rest, "", n/2)
	return lead + ends([]rune(hit), n-len(lead)-utf8.RuneCountInString(reason)) + reason, true
}

// cut returns the text in n characters around the hit. If there is not enough space, the heads of log lines are dropped first.
func (p proof) cut(hit string, n int) string {
	if utf8.RuneCountInString(p.Text) <= n {
		return p.Text
	}
	says := p.Text
	if body := logline.Body(says); body != says && strings.Contains(body, hit) {
		says = ellipsis + " " + body
	}
	return excerpt(says, hit, n)
}
