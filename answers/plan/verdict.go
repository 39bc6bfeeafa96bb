package plan

// Verdict is the result of a plan in one word.
type Verdict string

// Verdicts. Clear and Blocked are certain.
const (
	Clear   Verdict = "clear"
	Blocked Verdict = "blocked"
	// Slow is between both: something takes time and may turn out to block, or could not be read.
	Slow Verdict = "slow"
	// Unclear: required evidence is missing. Repairs start only if everything is known.
	Unclear Verdict = "unknown"
	// Harmful: an upgrade completes at the cost of pods: some are lost, terminated against their PodDisruptionBudgets, or do
	// not fit on any node.
	Harmful Verdict = "harmful"
)
