package triage

import "github.com/nodetriage/nodetriage/evidence"

// quotes is a set of texts that are shown, by source and location.
type quotes map[quote]bool

type quote struct{ source, locator, text string }

func (q quotes) note(list ...evidence.Ref) {
	for _, e := range list {
		if e.Locator != "" {
			q[quote{e.Source, e.Locator, ""}] = true
		}
		if e.Text != "" {
			q[quote{e.Source, "", e.Text}] = true
		}
	}
}

func (q quotes) has(e evidence.Ref) bool {
	return q[quote{e.Source, e.Locator, ""}] || q[quote{e.Source, "", e.Text}]
}

// shown returns the texts that every form of the report already shows: all evidence of the first finding, the best of each other
// finding, and that of unexplained symptoms.
func shown(r *Report) quotes {
	out := quotes{}
	for i, f := range r.Findings {
		if i == 0 {
			out.note(f.Evidence...)
			continue
		}
		out.note(best(f.Evidence)...)
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" {
			out.note(s.Evidence...)
		}
	}
	return out
}

// textsShown returns the evidence of the first finding and of unexplained symptoms.
func textsShown(r *Report) []string {
	var out []string
	add := func(list []evidence.Ref) {
		for _, e := range list {
			out = append(out, e.Text)
		}
	}
	if len(r.Findings) > 0 {
		add(r.Findings[0].Evidence)
	}
	for _, s := range r.Symptoms {
		if s.ExplainedBy == "" {
			add(s.Evidence)
		}
	}
	return out
}

// leastSame is the minimal number of words of a text that can repeat another one.
const leastSame = 4
