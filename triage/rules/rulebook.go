package rules

import (
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/doubts"
	"github.com/nodetriage/nodetriage/triage/rules/endings"
)

// All returns the rules, endings and doubts.
func All() triage.Rulebook {
	return triage.Rulebook{Rules: list(), Endings: endings.All(), Doubts: doubts.All()}
}
