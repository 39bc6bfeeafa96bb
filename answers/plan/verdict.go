package plan

import (
	"encoding/json"
	"time"
)

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

// Interval is a range of durations.
type Interval struct{ From, To time.Duration }

// MarshalJSON writes durations like "1m30s".
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		From string `json:"from"`
		To   string `json:"to"`
	}{i.From.String(), i.To.String()})
}

// Within returns the Interval between two durations.
func Within(from, to time.Duration) Interval { return Interval{from, to} }
