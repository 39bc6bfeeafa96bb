package bounds_test

import (
	"math"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

func TestTimes(t *testing.T) {
	for _, unit := range []time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour} {
		for n, want := range map[int64]time.Duration{
			0: 0, 1: unit, -1: -unit, 90: 90 * unit, math.MaxInt64: bounds.Longest, math.MinInt64: -bounds.Longest,
			math.MaxInt64 / int64(unit): bounds.Longest, math.MaxInt64/int64(unit) + 1: bounds.Longest,
		} {
			if got := bounds.Times(n, unit); got != want {
				t.Errorf("%d of %s: %s, want %s", n, unit, got, want)
			}
		}
	}
}

func TestUntil(t *testing.T) {
	year := func(n int) time.Time { return time.Date(n, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		from, to time.Time
		want     time.Duration
	}{
		{year(2026), year(2026).Add(time.Minute), time.Minute}, {year(2026).Add(time.Minute), year(2026), -time.Minute},
		{year(1), year(9999), bounds.Longest}, {year(9999), year(1), -bounds.Longest}, {year(2026), year(9999), bounds.Longest},
	} {
		if got := bounds.Until(c.from, c.to); got != c.want || got+time.Hour < got {
			t.Errorf("%s to %s: %s, want %s", c.from, c.to, got, c.want)
		}
	}
}
