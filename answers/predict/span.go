package predict

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/nodetriage/nodetriage/mechanics"
)

// Duration is a time since the event, "39.6s" in JSON.
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

// Span is an interval in which something happens.
type Span struct {
	From Duration `json:"from"`
	To   Duration `json:"to"`
}

func (s Span) String() string {
	b, _ := json.Marshal(s)
	return string(b)
}

// Times in one run, since the event.
const (
	never  = mechanics.Never
	always = time.Duration(math.MinInt64) // before everything in the simulation
)

// plus adds to a time. never stays never.
func plus(t, d time.Duration) time.Duration {
	if t == never || d == never {
		return never
	}
	return t + d
}

// bounds is a Span while the runs are combined.
type bounds struct {
	from, to time.Duration
	missing  bool // it does not happen in all runs
	seen     bool
}

func (a *bounds) add(t time.Duration) {
	if t == never {
		a.missing = true
		return
	}
	if !a.seen {
		a.from, a.to, a.seen = t, t, true
		return
	}
	a.from, a.to = min(a.from, t), max(a.to, t)
}

// after makes it later than b, if b happens.
func (a *bounds) after(b bounds) {
	if a.seen && b.seen {
		a.from, a.to = max(a.from, b.from), max(a.to, b.to)
	}
}

// span returns nil if it never happens.
func (a *bounds) span() *Span {
	if !a.seen {
		return nil
	}
	return &Span{Duration(a.from), Duration(a.to)}
}
