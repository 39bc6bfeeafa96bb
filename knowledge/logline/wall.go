package logline

import (
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var zone = lazyregexp.New(`([+-])(\d\d):?(\d\d)$`)

// Apart returns the time from one line to another, which may be in another log of the same machine. If only one of them has a
// zone or a year, it compares local times, because programs of one machine have one zone. It returns false if unknown.
func Apart(from, to string) (time.Duration, bool) {
	a, absolute, known := wall(from)
	b, other, both := wall(to)
	if !known || !both {
		return 0, false
	}
	if absolute && other {
		return ReadOrigin(to, yearless).Time.Sub(ReadOrigin(from, yearless).Time), true
	}
	if year := yearless.Year(); a.Year() == year || b.Year() == year {
		a, b = a.AddDate(year-a.Year(), 0, 0), b.AddDate(year-b.Year(), 0, 0)
		switch { // across the end of the year
		case b.Before(a.AddDate(0, -6, 0)):
			b = b.AddDate(1, 0, 0)
		case a.Before(b.AddDate(0, -6, 0)):
			a = a.AddDate(1, 0, 0)
		}
	}
	return b.Sub(a), true
}

// Zoned reports whether the zone of a line's time is known.
func Zoned(line string) bool {
	_, zoned, _ := wall(line)
	return zoned
}

// wall returns the local time of a line, and whether the line contains its zone.
func wall(line string) (t time.Time, zoned, known bool) {
	clock, t := Tick(line)
	switch clock {
	case NoClock, Uptime:
		return t, false, false
	case Yearless:
		return t, false, true
	}
	head := line[:min(len(line), 300)]
	from, to, _ := stampIn(head)
	stamp := head[from:to]
	m := zone.FindStringSubmatch(stamp)
	if m == nil {
		return t, len(stamp) > 0 && stamp[len(stamp)-1] == 'Z', true
	}
	offset, err := time.ParseDuration(m[1] + m[2] + "h" + m[3] + "m")
	return t.Add(offset), true, err == nil
}
