package logline

import (
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Clock is the form of the time in the head of a line. Times of one log with the same form can be compared, even if the year is
// unknown.
type Clock byte

// Clocks of logs.
const (
	NoClock  Clock = iota
	Dated          // date and time
	Yearless       // date and time without the year
	Uptime         // since the boot of the machine
)

var (
	sinceStart = lazyregexp.New(`^(?:<\d{1,3}>)?\[ *(\d{1,8})\.(\d{6})\] `)
	// yearless is a leap year, so that every date exists in it. No log is from that year.
	yearless = time.Date(1904, time.December, 31, 23, 59, 59, 0, time.UTC)
)

// Tick returns the time in the head of a line in the clock of its log.
func Tick(line string) (Clock, time.Time) {
	if m := sinceStart.FindStringSubmatch(line[:min(len(line), 40)]); m != nil {
		seconds, _ := strconv.ParseInt(m[1], 10, 64)
		micros, _ := strconv.ParseInt(m[2], 10, 64)
		return Uptime, time.Unix(seconds, micros*1000).UTC()
	}
	switch t := ReadOrigin(line, yearless).Time; {
	case t.IsZero():
		return NoClock, t
	case t.Year() == yearless.Year():
		return Yearless, t
	default:
		return Dated, t
	}
}

// Between returns the time from one line of a log to a later one; false if their heads do not contain it.
func Between(line, after string) (time.Duration, bool) {
	from, a := Tick(line)
	to, b := Tick(after)
	if from == NoClock || from != to {
		return 0, false
	}
	if from == Yearless && b.Before(a.AddDate(0, -6, 0)) { // across the end of the year
		b = b.AddDate(1, 0, 0)
	}
	return b.Sub(a), true
}

// Stamped reports whether a line may begin with a time. It is a fast check for every line of a text.
func Stamped(line string) bool {
	head := line[:min(len(line), 120)]
	if opensHead(head) {
		return true
	}
	for i := strings.IndexByte(head, ':'); i >= 0 && i+6 <= len(head); {
		if i >= 2 && isTime(head[i-2:i+6]) {
			return true
		}
		next := strings.IndexByte(head[i+1:], ':')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// opensHead reports whether a line begins with a bracket for its time, a syslog priority, or JSON fields.
func opensHead(line string) bool {
	if len(line) < 2 {
		return false
	}
	switch line[0] {
	case '[':
		return strings.IndexByte(" 0123456789MTWFS", line[1]) >= 0
	case '<':
		return isDigit(line[1])
	}
	return line[0] == '{'
}

// Program returns the program in the head of a journal line; empty if it is not a journal line. It uses no regular expression,
// because it runs for every line of a text.
func Program(line string) string {
	var rest string
	switch {
	case len(line) > 16 && hasYearlessHead(line, 6):
		rest = line[15:]
	case len(line) > 15 && hasYearlessHead(line, 5): // a day without its space
		rest = line[14:]
	case len(line) > 20 && hasDate(line) && line[13] == ':':
		rest = line[19:]
	default:
		return ""
	}
	blank := strings.IndexByte(rest, ' ') // after fraction and zone
	if blank < 0 || blank > 16 {
		return ""
	}
	_, rest, ok := strings.Cut(rest[blank+1:], " ") // the host
	end := strings.IndexAny(rest[:min(len(rest), 80)], "[: ")
	if !ok || end <= 0 || rest[end] == ' ' {
		return ""
	}
	return rest[:end]
}

// isTime reports whether a text of eight bytes is a time of day: 10:00:00.
func isTime(text string) bool {
	if text[2] != ':' || text[5] != ':' {
		return false
	}
	return areDigits(text[:2]) && areDigits(text[3:5]) && areDigits(text[6:8])
}

// areDigits reports whether a text of two bytes is a number.
func areDigits(text string) bool { return isDigit(text[0]) && isDigit(text[1]) }

// hasYearlessHead reports whether spaces and colons are at the positions of `Jun 02 10:00:00`. The day ends at day.
func hasYearlessHead(line string, day int) bool {
	return line[3] == ' ' && line[day] == ' ' && line[day+3] == ':' && line[day+6] == ':'
}

// hasDate reports whether the separators of a date and a following time are at their positions: 2026-06-02T.
func hasDate(line string) bool { return line[4] == '-' && line[7] == '-' && line[10] == 'T' }
