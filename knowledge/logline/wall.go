package logline

import (
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var zone = lazyregexp.New(`([+-])(\d\d):?(\d\d)$`)

// Apart is the time from one line to another that may stand in another log of the same machine. Where only one of them
// tells its zone or its year, the clock on the wall is compared: programs of one machine have one zone. False: not known.
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
		switch { // over the turn of the year
		case b.Before(a.AddDate(0, -6, 0)):
			b = b.AddDate(1, 0, 0)
		case a.Before(b.AddDate(0, -6, 0)):
			a = a.AddDate(1, 0, 0)
		}
	}
	return b.Sub(a), true
}

// Zoned reports whether a line tells when it was written so that its zone is known.
func Zoned(line string) bool {
	_, zoned, _ := wall(line)
	return zoned
}

// wall is what the clock on the wall showed when a line was written, and whether the line tells its zone.
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
