package triage

// Rulebook is all that judges evidence. What a rule finds rests on no other rule; what messages tell of is over by the endings and
// doubtful by the doubts, in whatever rule they are read.
type Rulebook struct {
	Rules   []*Rule
	Endings []*Ending // the first that ends a message is told
	Doubts  []*Doubt
}
