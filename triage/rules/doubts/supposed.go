package doubts

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// Supposed doubts words of an unknown author that follow an "if".
var Supposed = &triage.Doubt{
	ID:     "supposed",
	Doc:    "It is of unknown origin and may describe a hypothetical case.",
	AtMost: triage.Possible,
	Holds: func(_ *triage.Pass, f *triage.Failure) bool {
		text := f.Ref.Text
		_, told := logline.LevelOf(text)
		ofNobody := f.Speaker == logline.Unknown && f.Line > 0 && f.Signature != nil
		if recorded := told || logline.Stamped(text); recorded || !ofNobody {
			return false
		}
		before, _, found := strings.Cut(text, f.Signature.Hit(text))
		return found && supposition.MatchString(before) && !asked.MatchString(before)
	},
}

var (
	// supposition matches the start of a hypothetical clause.
	supposition = lazyregexp.New(`(?i)(?:^|[\s(,;])(?:if|unless|in case|suppose|supposing)\s[^.,;:!?"]*$`)
	// asked matches an "if" of an indirect question.
	asked = lazyregexp.New(`(?i)\b(?:check|checks|checking|determine|verify|see|know|tell|wonder|sure)\w*\s+if\s[^.,;:!?"]*$`)
)
