package collect

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Bounds of the data about how the logs of a text continue.
const (
	maxPrograms = 500  // with log lines
	maxHead     = 300  // bytes of a line, enough for its time
	maxMarks    = 4096 // lines with a time
	maxStarts   = 200  // starts of units and of the machine
	maxBehind   = 8    // marks that are searched for the time of a line without one
)

// tails records how each log of a text continues. A message is over if its program logs on without it. A journal continues after a
// reboot.
type tails struct {
	logs   []tail // in the order of their first lines
	marks  []numbered
	every  int // lines between two marks
	starts []numbered
	writes int // programs of all logs
}

// tail is the end of one log.
type tail struct {
	line     int             // first line
	last     [forms]string   // last lines with a time, by the form of their heads
	asked    string          // when systemctl printed it, in the time format of its lines; empty: unknown
	programs map[head]string // last lines by program
	boots    []int           // lines at which the machine started
}

// head is what the lines of one program start with. Programs of one name may use different time formats.
type head struct {
	form    byte
	program string
}

const forms = 6

// formOf returns the form of the head of a line, by its first byte.
func formOf(line string) byte {
	switch c := line[0]; {
	case c == '[' || c == '<':
		return 1
	case c == '{':
		return 2
	case c >= '0' && c <= '9':
		return 3
	case c == ' ' || c == '\t':
		return 4
	case len(line) > 5 && line[1] >= '0' && line[1] <= '9':
		return 5 // klog
	}
	return 0
}

type numbered struct {
	number int
	text   string
}

var startedUnit = lazyregexp.New(`(?:^| )systemd(?:\[\d+\])?: Started `)

// begin records that a block begins at the line.
func (t *tails) begin(number int, head string) {
	if strings.HasPrefix(head, "-- Boot ") && len(t.logs) > 0 {
		t.booted(number)
		return
	}
	t.logs = append(t.logs, tail{line: number})
}

func (t *tails) booted(number int) {
	if log := &t.logs[len(t.logs)-1]; len(log.boots) < maxStarts {
		log.boots = append(log.boots, number)
	}
}

// take reads a line of the current log.
func (t *tails) take(number int, line string) {
	if len(t.logs) > 0 && strings.Contains(line, "Active: ") {
		t.logs[len(t.logs)-1].asked = paste.AskedAt(line)
	}
	if !logline.Stamped(line) {
		return
	}
	if len(t.logs) == 0 {
		t.logs = append(t.logs, tail{line: 1})
	}
	log := &t.logs[len(t.logs)-1]
	if len(line) > maxHead {
		line = strings.Clone(line[:maxHead])
	}
	form, program := formOf(line), logline.Program(line)
	log.last[form] = line
	t.wrote(log, head{form, program}, line)
	t.mark(number, line)
	switch {
	case strings.Contains(line, ": Started ") && len(t.starts) < maxStarts && startedUnit.MatchString(line):
		t.starts = append(t.starts, numbered{number, line})
	case strings.Contains(line, "Linux version ") && (program == "kernel" || program == ""):
		t.booted(number)
	}
}

// wrote records the last line of a program.
func (t *tails) wrote(log *tail, by head, line string) {
	if _, known := log.programs[by]; !known {
		if t.writes >= maxPrograms {
			return
		}
		t.writes++
	}
	if log.programs == nil {
		log.programs = map[head]string{}
	}
	log.programs[by] = line
}

// mark records a line with a time, for lines without one.
func (t *tails) mark(number int, line string) {
	if number%max(t.every, 1) != 0 {
		return
	}
	if len(t.marks) == maxMarks {
		t.thin()
	}
	t.marks = append(t.marks, numbered{number, line})
}

// thin keeps every second mark.
func (t *tails) thin() {
	t.every = 2 * max(t.every, 1)
	t.marks = slices.DeleteFunc(t.marks, func(m numbered) bool { return m.number%t.every != 0 })
}

// logOf returns the log that contains a line; nil: none.
func (t *tails) logOf(number int) *tail {
	for i := len(t.logs) - 1; i >= 0; i-- {
		if t.logs[i].line <= number {
			return &t.logs[i]
		}
	}
	return nil
}

// timed returns a line that shows when the given line was written: the line itself, or the next one with a time.
func (t *tails) timed(number int, line string) string {
	if clock, _ := logline.Tick(line); clock != logline.NoClock {
		return line
	}
	i, _ := slices.BinarySearchFunc(t.marks, number, func(m numbered, n int) int { return m.number - n })
	for _, m := range t.marks[i:min(i+maxBehind, len(t.marks))] {
		if clock, _ := logline.Tick(m.text); clock != logline.NoClock {
			return m.text
		}
	}
	return ""
}

// place records on a match how its log continues after it.
func (t *tails) place(m *evidence.Match, first, last string) {
	m.Quiet, m.Rebooted = t.after(m.LastLine, last, m.Speaker)
	m.Silent = t.silent(m.LastLine, last)
	if m.Count > 1 {
		if span, known := logline.Between(t.timed(m.Line, first), t.timed(m.LastLine, last)); known && span > 0 {
			m.Span = span
		}
	}
}

// silent returns how long a running unit had logged nothing after a line when systemctl printed it.
func (t *tails) silent(number int, line string) time.Duration {
	log := t.logOf(number)
	if log == nil {
		return 0
	}
	gone, _ := logline.Between(t.timed(number, line), log.asked)
	return max(gone, 0)
}

// after returns how long a log continues after a line without that message, and whether the machine rebooted.
func (t *tails) after(number int, line string, by logline.Speaker) (quiet time.Duration, rebooted bool) {
	log := t.logOf(number)
	if log == nil {
		return 0, false
	}
	line = t.timed(number, line)
	gone, _ := logline.Between(line, t.end(log, number, line, by))
	return max(gone, 0), slices.ContainsFunc(log.boots, func(n int) bool { return n > number })
}

// startedAfter reports whether systemd started the unit with that name or description after the line.
func (t *tails) startedAfter(number int, unit string) bool {
	return slices.ContainsFunc(t.starts, func(s numbered) bool { return s.number > number && strings.Contains(s.text, unit) })
}

var unitName = lazyregexp.New(`\b([\w@.\\-]{1,100})\.service\b|Failed to start ([^.]{1,100})`)

// end returns the last line of the writer of the given line. The kernel continues with its machine. Messages of systemd about a
// unit continue with the program of the unit, or with systemd itself once the unit has started.
func (t *tails) end(log *tail, number int, line string, by logline.Speaker) string {
	if line == "" {
		return ""
	}
	form, program := formOf(line), logline.Program(line)
	switch by {
	case logline.Kernel:
		return log.last[form]
	case logline.Systemd:
		u := unitName.FindStringSubmatch(line)
		if u == nil {
			break
		}
		if t.startedAfter(number, cmp.Or(u[1], strings.TrimSpace(u[2]))) {
			return log.last[form]
		}
		program = u[1]
	}
	return log.programs[head{form, program}]
}
