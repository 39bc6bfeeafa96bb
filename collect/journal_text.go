package collect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Formats of journalctl with one field per line (systemd src/shared/logs-show.c, v257). -o verbose starts each entry with its time
// and cursor, -o export with __CURSOR. -o json prints an object.
var (
	verboseHead = lazyregexp.New(`^[A-Z][a-z]{2} (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?) (\S+) \[s=[0-9a-f]+;`)
	exportHead  = lazyregexp.New(`^__CURSOR=s=[0-9a-f]+;`)
	jsonHead    = lazyregexp.New(`^\{(?:"[A-Z_]+":[^{}]*,)?"(?:__CURSOR|__REALTIME_TIMESTAMP|MESSAGE)":`)
	fieldLine   = lazyregexp.New(`^(_{0,2}[A-Z][A-Z0-9_]*)=(.*)$`)
)

// maxEntryLines bounds the lines of one entry that are kept to find its message. Longer entries pass unchanged.
const maxEntryLines = 200

// withoutFields converts such entries to the default format of journalctl: "time host program[pid]: message", on the line of the
// message. Empty lines replace the other fields, so that all lines keep their numbers. Only a text with such an entry near its
// start changes.
func withoutFields(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, sniffSize)
	start, _ := in.Peek(sniffSize)
	shows := false
	for line := range bytes.Lines(start) {
		line = bytes.TrimSpace(line)
		if shows = verboseHead.Match(line) || exportHead.Match(line) || jsonHead.Match(line); shows {
			break
		}
	}
	if !shows {
		return in
	}
	out, w := io.Pipe()
	go func() {
		e := &journalEntry{to: w}
		for {
			line, err := in.ReadString('\n')
			e.take(line)
			if err != nil {
				e.end()
				if err == io.EOF {
					err = e.failed
				}
				w.CloseWithError(err)
				return
			}
			if e.failed != nil {
				w.CloseWithError(e.failed)
				return
			}
		}
	}()
	return out
}

// journalEntry is the entry whose fields are being read.
type journalEntry struct {
	to     io.Writer
	failed error
	lines  []string          // original lines
	fields map[string]string // nil: no entry is open
	at     time.Time
	said   int // index of the message in lines
}

func (e *journalEntry) take(line string) {
	text := strings.TrimSpace(line)
	switch m := verboseHead.FindStringSubmatch(text); {
	case m != nil:
		e.open(line)
		e.at, _ = time.Parse("2006-01-02 15:04:05.999999", m[1])
		if zone, err := time.Parse("2006-01-02 15:04:05.999999 MST", m[1]+" "+m[2]); err == nil {
			e.at = zone
		}
		return
	case exportHead.MatchString(text):
		e.open(line)
		return
	case jsonHead.MatchString(text):
		e.end()
		e.object(line, text)
		return
	}
	if e.fields == nil {
		e.write(line)
		return
	}
	e.lines = append(e.lines, line)
	m := fieldLine.FindStringSubmatch(text)
	switch {
	case m == nil && text != "" && e.said < len(e.lines)-2, len(e.lines) > maxEntryLines:
		e.giveUp() // neither a field nor a continuation of the message: not a journal entry
	case m == nil:
	case m[1] == "MESSAGE":
		e.said, e.fields["MESSAGE"] = len(e.lines)-1, m[2]
	case m[1] == "__REALTIME_TIMESTAMP":
		e.at = microseconds(m[2])
	default:
		e.fields[m[1]] = m[2]
	}
}

func (e *journalEntry) open(line string) {
	e.end()
	e.lines, e.fields, e.at, e.said = append(e.lines, line), map[string]string{}, time.Time{}, 0
}

// end writes the open entry: its message as one line, and the lines after the message unchanged.
func (e *journalEntry) end() {
	if e.fields == nil {
		return
	}
	for i, line := range e.lines {
		switch {
		case i == e.said && i > 0:
			e.write(journalLine(e.at, e.fields) + ending(line))
		case e.said > 0 && i > e.said && !fieldLine.MatchString(strings.TrimSpace(line)):
			e.write(line)
		default:
			e.write(ending(line))
		}
	}
	e.lines, e.fields = e.lines[:0], nil
}

func (e *journalEntry) giveUp() {
	for _, line := range e.lines {
		e.write(line)
	}
	e.lines, e.fields = e.lines[:0], nil
}

// object writes an entry of -o json.
func (e *journalEntry) object(line, text string) {
	fields := map[string]any{}
	if json.Unmarshal([]byte(text), &fields) != nil {
		e.write(line)
		return
	}
	words := map[string]string{}
	for k, v := range fields {
		if s, ok := v.(string); ok {
			words[k] = s
		}
	}
	if words["MESSAGE"] == "" {
		e.write(line)
		return
	}
	words["MESSAGE"] = strings.ReplaceAll(words["MESSAGE"], "\n", " ")
	e.write(journalLine(microseconds(words["__REALTIME_TIMESTAMP"]), words) + ending(line))
}

func (e *journalEntry) write(line string) {
	if e.failed == nil {
		_, e.failed = io.WriteString(e.to, line)
	}
}

// journalLine formats the entry like -o short-iso-precise.
func journalLine(at time.Time, fields map[string]string) string {
	if fields["MESSAGE"] == "" {
		return ""
	}
	var b strings.Builder
	if !at.IsZero() {
		b.WriteString(at.UTC().Format("2006-01-02T15:04:05.000000+0000") + " ")
	}
	host, program := fields["_HOSTNAME"], fields["SYSLOG_IDENTIFIER"]
	if program == "" {
		program = fields["_COMM"]
	}
	if host == "" || program == "" {
		return b.String() + fields["MESSAGE"]
	}
	b.WriteString(host + " " + program)
	if pid := fields["_PID"]; pid != "" {
		b.WriteString("[" + pid + "]")
	}
	return b.String() + ": " + fields["MESSAGE"]
}

// microseconds parses a journald timestamp; zero if it is invalid.
func microseconds(s string) time.Time {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// ending returns the line ending.
func ending(line string) string {
	return line[len(strings.TrimRight(line, "\r\n")):]
}
