package triage

import "slices"

// Rulebook has everything that judges evidence. Rules do not read each other's claims. One link exists: a rule with JudgesInstead can
// replace what messages say, and the rule for messages asks it. Endings and doubts apply to a message no matter which rule reads it.
type Rulebook struct {
	Rules   []*Rule
	Endings []*Ending // the first that resolves a message is used
	Doubts  []*Doubt
}

// OfNode returns the rulebook with only the rules that give the same result for a node from its part of the evidence.
func (b Rulebook) OfNode() Rulebook {
	b.Rules = slices.DeleteFunc(slices.Clone(b.Rules), func(r *Rule) bool { return r.Scope != OfNode })
	return b
}
