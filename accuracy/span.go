package accuracy

import (
	"cmp"
	"regexp"
	"strconv"
	"time"
)

// span is the time that logs cover, in one calendar. A head without a year gets the year of a head that has one. Without such a
// head, it gets the newest year of the objects in the same case.
type span struct {
	first, last time.Time
	year        int  // of the calendar
	told        bool // some head contains its year
}

// spanOf reads the heads of all lines of all text files; false if no line has one.
func spanOf(files Files) (s span, ok bool) {
	objects := 0
	var with, without []time.Time
	for _, f := range files {
		if f.objects() {
			objects = max(objects, yearOf(f.Text))
			continue
		}
		for _, l := range lines(f.Text) {
			t, year, found := head(l)
			switch {
			case found && year:
				with = append(with, t)
			case found:
				without = append(without, t)
			}
		}
	}
	s.year = cmp.Or(objects, yearless)
	if len(with) > 0 {
		s.told = true
		s.year = with[len(with)-1].Year()
	}
	for _, t := range without {
		with = append(with, inYear(t, s.year))
	}
	for _, t := range with {
		if s.first.IsZero() || t.Before(s.first) {
			s.first = t
		}
		if t.After(s.last) {
			s.last = t
		}
	}
	return s, len(with) > 0
}

var dated = regexp.MustCompile(`(?:creationTimestamp|renewTime|lastHeartbeatTime|lastTimestamp)"?: ?"?(\d{4})-`)

// yearOf returns the newest year in which objects were written; zero: they have no times.
func yearOf(objects string) (newest int) {
	for _, m := range dated.FindAllStringSubmatch(objects, -1) {
		if year, err := strconv.Atoi(m[1]); err == nil {
			newest = max(newest, year)
		}
	}
	return newest
}
