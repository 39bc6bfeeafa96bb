package drain

import "github.com/nodetriage/nodetriage/plan"

// The words of all plans.
var (
	command = plan.Command
	count   = plan.Count
	some    = plan.Some
)
