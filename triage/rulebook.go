package triage

import "slices"

// Rulebook is all that judges evidence. What a rule finds rests on no other rule; what messages tell of is over by the endings and
// doubtful by the doubts, in whatever rule they are read.
type Rulebook struct {
	Rules   []*Rule
	Endings []*Ending // the first that ends a message is told
	Doubts  []*Doubt
}

// OfNode is the rulebook with those rules alone that judge a node by itself: what they say of it they say of its part of the evidence.
func (b Rulebook) OfNode() Rulebook {
	b.Rules = slices.DeleteFunc(slices.Clone(b.Rules), func(r *Rule) bool { return r.Scope != OfNode })
	return b
}
