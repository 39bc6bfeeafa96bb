package collect

import (
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Bounds of what is kept of a text to tell how its logs go on.
const (
	maxPrograms = 500  // that write
	maxHead     = 300  // bytes of a line, which tell its time
	maxMarks    = 4096 // lines that have a time
	maxStarts   = 200  // starts of units, and of the machine
	maxBehind   = 8    // marks that are looked at for the time of a line without one
)

// tails tells of each log of a text how it goes on: a message is over when its program goes on without it. A journal goes on
// over the starts of its machine.
type tails struct {
	logs   []tail // by their first lines
	marks  []numbered
	every  int // lines from one mark to the next
	starts []numbered
	writes int // programs, of all logs
}

// tail is the end of one log.
type tail struct {
	line     int             // its first one
	last     [forms]string   // lines that have a time, by the forms of their heads
	asked    string          // when systemctl showed it, as its lines tell times; empty: it did not, or not when
	programs map[head]string // last lines, by who writes them
	boots    []int           // lines at which its machine started
}

// head is what the heads of the lines of one program have in common. Programs of one name may tell their time in other ways.
type head struct {
	form    byte
	program string
}

const forms = 6

// formOf is the form of the head of a line, by its first byte.
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

// begin tells that a block begins at the line.
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
	switch _, known := log.programs[head{form, program}]; {
	case known:
		log.programs[head{form, program}] = line
	case t.writes < maxPrograms:
		if log.programs == nil {
			log.programs = map[head]string{}
		}
		log.programs[head{form, program}] = line
		t.writes++
	}
	if number%max(t.every, 1) == 0 {
		if len(t.marks) == maxMarks {
			t.thin()
		}
		t.marks = append(t.marks, numbered{number, line})
	}
	switch {
	case strings.Contains(line, ": Started ") && len(t.starts) < maxStarts && startedUnit.MatchString(line):
		t.starts = append(t.starts, numbered{number, line})
	case strings.Contains(line, "Linux version ") && (program == "kernel" || program == ""):
		t.booted(number)
	}
}

// thin keeps every second mark.
func (t *tails) thin() {
	t.every = 2 * max(t.every, 1)
	t.marks = slices.DeleteFunc(t.marks, func(m numbered) bool { return m.number%t.every != 0 })
}

// logOf is the log that a line stands in; nil: none.
func (t *tails) logOf(number int) *tail {
	for i := len(t.logs) - 1; i >= 0; i-- {
		if t.logs[i].line <= number {
			return &t.logs[i]
		}
	}
	return nil
}

// timed is a line that tells when the line of that number was written: itself, or the next one that has a time.
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

// place says of a match how its log goes on after it.
func (t *tails) place(m *evidence.Match, first, last string) {
	m.Quiet, m.Rebooted = t.after(m.LastLine, last, m.Speaker)
	m.Silent = t.silent(m.LastLine, last)
	if m.Count > 1 {
		if span, known := logline.Between(t.timed(m.Line, first), t.timed(m.LastLine, last)); known && span > 0 {
			m.Span = span
		}
	}
}

// silent is for how long a unit that runs had said no more than a line when systemctl showed it.
func (t *tails) silent(number int, line string) time.Duration {
	log := t.logOf(number)
	if log == nil {
		return 0
	}
	gone, _ := logline.Between(t.timed(number, line), log.asked)
	return max(gone, 0)
}

// after is for how long a log goes on behind a line without another word of it, and whether the machine started anew.
func (t *tails) after(number int, line string, by logline.Speaker) (quiet time.Duration, rebooted bool) {
	log := t.logOf(number)
	if log == nil {
		return 0, false
	}
	line = t.timed(number, line)
	gone, _ := logline.Between(line, t.end(log, number, line, by))
	return max(gone, 0), slices.ContainsFunc(log.boots, func(n int) bool { return n > number })
}

var unitName = lazyregexp.New(`\b([\w@.\\-]{1,100})\.service\b|Failed to start ([^.]{1,100})`)

// end is the last line by which the log goes on for who writes a line. A kernel goes on with its machine. What systemd says
// of a unit goes on with the program of the unit, or with systemd itself once the unit has started.
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
		for _, start := range t.starts {
			if start.number > number && (u[1] != "" && strings.Contains(start.text, u[1]) || u[2] != "" && strings.Contains(start.text, strings.TrimSpace(u[2]))) {
				return log.last[form]
			}
		}
		program = u[1]
	}
	return log.programs[head{form, program}]
}
