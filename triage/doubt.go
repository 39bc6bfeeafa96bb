package triage

import "github.com/nodetriage/nodetriage/evidence"

// Doubt is a reason not to take a message for more than it may be worth: whether it still holds, or ever did, the evidence does
// not tell.
type Doubt struct {
	ID  string // kebab case; the file is named after it
	Doc string // one sentence: what is doubtful, and why
	// AtMost is how sure a message can be of which it holds.
	AtMost Certainty
	// Reads are the kinds of evidence that it looks at besides the messages.
	Reads []evidence.Kind
	Holds func(*Pass, *Failure) bool
}

// DoubtsOf are the doubts that hold for a message. The list must not be changed.
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
