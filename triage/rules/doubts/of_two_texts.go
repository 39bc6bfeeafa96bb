package doubts

import "github.com/nodetriage/nodetriage/triage"

// OfTwoTexts doubts a conclusion from two texts, because they may be from different times.
var OfTwoTexts = &triage.Doubt{
	ID:     "of-two-texts",
	Doc:    "It is only reported together with another text, which may be from another time.",
	AtMost: triage.Likely,
	Holds:  func(_ *triage.Pass, f *triage.Failure) bool { return f.Signature != nil && len(f.Signature.Beside) > 0 },
}
