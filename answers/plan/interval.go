package plan

import (
	"fmt"
	"time"
)

// Duration is a duration that is text in JSON: "39.6s", "1h2m3.4s".
type Duration time.Duration

func (d Duration) String() string { return time.Duration(d).String() }

// MarshalText formats it like Go: 1h2m3.4s.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses the output of MarshalText.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("invalid duration %q; example: 39.6s", text)
	}
	*d = Duration(v)
	return nil
}

// Interval is the earliest and the latest time of something: since an event, or how long it takes.
type Interval struct {
	From Duration `json:"from"`
	To   Duration `json:"to"`
}

// Within returns the Interval between two durations.
func Within(from, to time.Duration) Interval { return Interval{Duration(from), Duration(to)} }

// At returns the Interval of one instant.
func At(t time.Duration) Interval { return Within(t, t) }

// Earliest returns the begin of the Interval.
func (i Interval) Earliest() time.Duration { return time.Duration(i.From) }

// Latest returns the end of the Interval.
func (i Interval) Latest() time.Duration { return time.Duration(i.To) }

// Cover returns the shortest Interval that contains both.
func (i Interval) Cover(j Interval) Interval {
	return Interval{min(i.From, j.From), max(i.To, j.To)}
}

// Then returns the Interval of something that begins when the first one ends.
func (i Interval) Then(j Interval) Interval { return Interval{i.From + j.From, i.To + j.To} }

// Has reports whether a time is in the Interval.
func (i Interval) Has(t time.Duration) bool { return i.Earliest() <= t && t <= i.Latest() }

func (i Interval) String() string { return fmt.Sprintf("%s to %s", i.From, i.To) }
