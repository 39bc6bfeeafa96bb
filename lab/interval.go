package lab

import (
	"fmt"
	"time"
)

// Interval is an interval in the answers of the program: durations since an event. The program writes them as text.
type Interval struct{ From, To Duration }

// Has reports whether a time is in the interval.
func (i Interval) Has(d time.Duration) bool {
	return time.Duration(i.From) <= d && d <= time.Duration(i.To)
}

// Width is the time between both ends.
func (i Interval) Width() time.Duration { return time.Duration(i.To - i.From) }

func (i Interval) String() string {
	return fmt.Sprintf("%s to %s", time.Duration(i.From), time.Duration(i.To))
}

// Duration is a duration that is text in JSON: "1m30s".
type Duration time.Duration

// UnmarshalText parses the text.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}
