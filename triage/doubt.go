package triage

import "github.com/nodetriage/nodetriage/evidence"

// Doubt is a reason to lower the certainty of a message: the evidence does not show whether it still holds, or ever did.
type Doubt struct {
	ID  string // kebab case; the file is named after it
	Doc string // one sentence: what is doubtful, and why
	// AtMost is the cap: a message with this doubt is at most this certain.
	AtMost Certainty
	// Reads are the kinds of evidence that it reads in addition to messages.
	Reads []evidence.Kind
	Holds func(*Pass, *Failure) bool
}

// DoubtsOf returns the doubts that hold for a message. The list must not be changed.
func (p *Pass) DoubtsOf(m *evidence.Match) []*Doubt {
	if known, asked := p.doubts[m]; asked {
		return known
	}
	var out []*Doubt
	f := p.FailureOf(m)
	for _, d := range p.Rulebook.Doubts {
		if d.Holds(p, f) {
			out = append(out, d)
		}
	}
	p.doubts[m] = out
	return out
}
