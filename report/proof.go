package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/signatures"
)

// proof is a piece of evidence, with the other places that say the same.
type proof struct {
	evidence.Ref
	also int
}

// proofs joins pieces of evidence with the same text, in their order: fifty nodes that say one thing are one proof.
func proofs(refs []evidence.Ref) []proof {
	var out []proof
	at := map[string]int{}
	for _, ref := range refs {
		if i, ok := at[ref.Text]; ok && ref.Text != "" {
			out[i].also++
			continue
		}
		at[ref.Text] = len(out)
		out = append(out, proof{Ref: ref})
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
		if body := signatures.Body(says); body != says {
			says = ellipsis + " " + body
		}
		says = excerpt(says, p.Hit, max(room, 80))
	}
	return where + ": " + says
}
