package paste

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// eventRows tracks the rows of an Events table. Their messages may continue on further lines.
type eventRows struct {
	seen bool
	at   int  // indentation of the last row
	open bool // its message is missing, so the next line contains it
}

// accepts reports whether a line belongs to the table.
func (e *eventRows) accepts(at int, text string) bool {
	if isEventHeader(text) || isRule(text) {
		return true
	}
	if row, ok := parseEventLine(text); ok {
		*e = eventRows{seen: true, at: at, open: row.message == ""}
		return true
	}
	return e.seen && (at > e.at || e.open && at == e.at)
}

func isEventHeader(text string) bool {
	f := strings.Fields(text)
	return len(f) >= 5 && (startsWith(f, "Type", "Reason", "Age") || startsWith(f, "FirstSeen", "LastSeen"))
}

func isEventRow(text string) bool {
	_, ok := parseEventLine(text)
	return ok
}

// nodeOfEvents returns the node that the events name, or "".
func (d *description) nodeOfEvents() string {
	s := d.find("Events")
	if s == nil {
		return ""
	}
	for _, l := range s.lines {
		if e, ok := parseEventLine(strings.TrimSpace(l.text)); ok {
			if named, _ := subjectOf(e.reason, e.message); named.Kind == "Node" {
				return named.Name
			}
		}
	}
	return ""
}

// buildEvents reads the Events section. If the object is otherwise unknown, messages that name it identify it: all events of one
// description are about one object.
func (d *description) buildEvents(about evidence.Subject, node string) {
	s := d.find("Events")
	if s == nil {
		return
	}
	rows := s.events()
	for _, r := range rows {
		named, on := subjectOf(r.reason, r.message)
		if about.IsZero() && named.Name != "" {
			about = named
		}
		if on != "" && node == "" {
			node = on
		}
	}
	if about.Kind == "Pod" && about.Name != "" && node != "" {
		d.p.bind(about, node, s.at)
	}
	for _, r := range rows {
		if !d.p.text.room("events", r.at) {
			return
		}
		d.p.text.events = append(d.p.text.events, d.p.event(r.eventLine, about, r.at))
	}
}

// describedEvent is an event of a description, with its first line.
type describedEvent struct {
	eventLine
	at line
}

// events parses the rows of the section. A line that is no row continues the message of the last one.
func (s *section) events() (rows []describedEvent) {
	for _, l := range s.lines {
		text := strings.TrimSpace(l.text)
		if e, ok := parseEventLine(text); ok {
			rows = append(rows, describedEvent{e, l})
			continue
		}
		if len(rows) == 0 || isEventHeader(text) || isRule(text) || text == "" {
			continue
		}
		last := &rows[len(rows)-1]
		continueEvent(&last.eventLine, text)
		last.to = l.no
	}
	return rows
}

// continueEvent appends a line to a wrapped message. If the source ends in a comma, its host comes first.
func continueEvent(e *eventLine, text string) {
	if e.message == "" && e.host == "" && e.component == "kubelet" {
		if host, rest := nextWord(text); rest != "" && strings.Contains(host, ".") && isName(host) {
			e.host, text = host, rest
		}
	}
	if len(e.message) < maxQuote*4 {
		e.message = strings.TrimSpace(e.message + " " + text)
	}
}
