package plan

import (
	"encoding/json"
	"time"
)

// Verdict is a plan in one word.
type Verdict string

// The verdicts. Clear and Blocked are certain.
const (
	Clear   Verdict = "clear"
	Blocked Verdict = "blocked"
	// Slow is what lies between: something has to be waited for, and may turn out to block, or could not be read.
	Slow Verdict = "slow"
	// Unclear: something needed to decide is unknown. Repairs start only when everything is known.
	Unclear Verdict = "unknown"
	// Harmful: an upgrade comes to its end at the price of pods: some are lost, are ended against their budgets, or find no
	// node any more.
	Harmful Verdict = "harmful"
)

// Interval is a duration that is known within bounds.
type Interval struct{ From, To time.Duration }

// MarshalJSON writes durations like "1m30s".
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		From string `json:"from"`
		To   string `json:"to"`
	}{i.From.String(), i.To.String()})
}

// Within is the Interval between two durations.
func Within(from, to time.Duration) Interval { return Interval{from, to} }
