package rules

import (
	"github.com/nodetriage/nodetriage/rules/doubts"
	"github.com/nodetriage/nodetriage/rules/endings"
	"github.com/nodetriage/nodetriage/triage"
)

// All returns all that judges evidence.
func All() triage.Rulebook {
	return triage.Rulebook{Rules: list(), Endings: endings.All(), Doubts: doubts.All()}
}
