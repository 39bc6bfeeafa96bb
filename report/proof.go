package report

import (
	"regexp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/logline"
)

// proof is a piece of evidence, with the other places that say the same.
type proof struct {
	evidence.Ref
	also int
}

// times is how a locator says that a line came more than once.
var times = regexp.MustCompile(` ?\(\d+ times\)$`)

// proofs joins pieces of evidence with the same text, in their order: fifty nodes that say one thing are one
// proof, and so is a line that two rules point to.
func proofs(refs []evidence.Ref) []proof {
	var out []proof
	at := map[string]int{}
	places := map[string]bool{}
	for _, ref := range refs {
		place := ref.Text + "\x00" + ref.Source + "\x00" + times.ReplaceAllString(ref.Locator, "")
		i, known := at[ref.Text]
		switch {
		case !known || ref.Text == "":
			at[ref.Text] = len(out)
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

// where is the place of the proof, and how many more there are.
func (p proof) where() string {
	out := strings.TrimSpace(p.Source + " " + p.Locator)
	if p.also > 0 {
		out += ", and " + count(p.also, "more place says", "more places say") + " the same"
	}
	return out
}

// says is the proof in up to n characters. Where there is no room for all of it, the heads of log lines give
// way first.
func (p proof) says(n int) string {
	where, says := p.where(), p.Text
	if room := n - len(where) - 2; len(says) > room {
		if body := logline.Body(says); body != says {
			says = ellipsis + " " + body
		}
		says = excerpt(says, p.Hit, max(room, 80))
	}
	return where + ": " + says
}
