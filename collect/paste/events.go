package paste

import (
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// eventLine is one event of a description, in either layout.
type eventLine struct {
	typ, reason, message string
	last, first          string // ages
	count                int
	component, host      string
	to                   int // last line of the message
}

// parseEventLine parses a row of the Events table of kubectl describe: Type, Reason, Age, From, Message; up to 1.7 FirstSeen,
// LastSeen, Count, From, SubObjectPath, Type, Reason, Message.
func parseEventLine(text string) (eventLine, bool) {
	text = strings.TrimSpace(text)
	word, rest := nextWord(text)
	if !isEventType(word) {
		return parseOldEventLine(text)
	}
	e := eventLine{typ: word}
	if e.reason, rest = nextWord(rest); !isReason(e.reason) {
		return eventLine{}, false
	}
	ageCell, rest := nextWord(rest)
	if strings.HasPrefix(rest, "(x") {
		i := strings.IndexByte(rest, ')')
		if i < 0 {
			return eventLine{}, false
		}
		ageCell, rest = ageCell+" "+rest[:i+1], strings.TrimLeft(rest[i+1:], " \t")
	}
	var ok bool
	if e.last, e.first, e.count, ok = parseInterval(ageCell); !ok {
		return eventLine{}, false
	}
	var from string
	from, e.message = splitFrom(rest)
	e.component, e.host = eventSource(from)
	return e, true
}

// splitFrom splits the source from a message: "kubelet", "kubelet, node-1", or nothing if the next word cannot be a component.
func splitFrom(s string) (from, message string) {
	word, rest := nextWord(s)
	if !isComponent(strings.TrimSuffix(word, ",")) {
		return "", s
	}
	if strings.HasSuffix(word, ",") {
		host, after := nextWord(rest)
		return strings.TrimSpace(word + " " + host), after
	}
	return word, rest
}

func isComponent(s string) bool {
	if s == "" || len(s) > 128 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range s {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.ContainsRune("-_./:", c):
		default:
			return false
		}
	}
	return true
}

func parseOldEventLine(text string) (eventLine, bool) {
	first, rest := nextWord(text)
	last, rest := nextWord(rest)
	n, rest := nextWord(rest)
	count, err := strconv.Atoi(n)
	if err != nil || !isAge(first) || !isAge(last) {
		return eventLine{}, false
	}
	from, typ, after := cutEventType(rest)
	if typ == "" {
		return eventLine{}, false
	}
	e := eventLine{typ: typ, first: first, last: last, count: count}
	if i := strings.Index(from, "spec."); i >= 0 {
		from = from[:i]
	}
	e.component, e.host = eventSource(strings.TrimSpace(from))
	e.reason, e.message = nextWord(after)
	return e, isReason(e.reason)
}

// cutEventType splits a text at the first word that is an event type.
func cutEventType(s string) (before, typ, after string) {
	rest := s
	for range 8 {
		word, next := nextWord(rest)
		if word == "" {
			break
		}
		if isEventType(word) {
			return strings.TrimSpace(s[:len(s)-len(rest)]), word, next
		}
		rest = next
	}
	return "", "", ""
}

// nextWord cuts off the first word; the rest starts with the next word.
func nextWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimLeft(s[i:], " \t")
}

// event converts a line to an event about the subject.
func (p *page) event(e eventLine, about evidence.Subject, l line) *evidence.Event {
	out := &evidence.Event{
		Object: about, Type: e.typ, Reason: e.reason, Message: e.message, Component: e.component, Host: e.host,
		Count: e.count, Ref: p.ref(l), Line: l.no, EndLine: max(l.no, e.to),
	}
	if e.to > l.no {
		out.Ref.Text = withMessage(out.Ref.Text, e.message)
	}
	p.text.setAges(out, e.last, e.first)
	return out
}

// withMessage returns a row with the whole message. The row may have only its beginning.
func withMessage(row, message string) string {
	if message == "" || strings.Contains(row, message) {
		return row
	}
	for n := min(len(message), len(row)); n > 0; n-- {
		if head, ok := strings.CutSuffix(row, message[:n]); ok {
			return head + message
		}
	}
	return row + " " + message
}

// subjectOf returns the object that a fixed message of the kubelet, node controller or scheduler names. node is its node, or the
// object itself.
func subjectOf(reason, message string) (about evidence.Subject, node string) {
	if rest, ok := strings.CutPrefix(message, "Node "); ok {
		name, after := nextWord(rest)
		if strings.HasPrefix(after, "status is now: ") || strings.HasPrefix(after, "event: ") {
			return evidence.NodeSubject(name), name
		}
	}
	if rest, ok := strings.CutPrefix(message, "Successfully assigned "); ok && reason == "Scheduled" {
		pod, after := nextWord(rest)
		to, after := nextWord(after)
		node, _ := nextWord(after)
		namespace, name, both := strings.Cut(pod, "/")
		if !both { // up to 1.11
			namespace, name = "", pod
		}
		if to == "to" && node != "" && isName(name) {
			return evidence.PodSubject(namespace, name), strings.TrimSuffix(node, ".")
		}
	}
	return evidence.Subject{}, ""
}

// listed adds an event of a table. A Scheduled event gives the node of its pod, and the namespace if the table has none.
func (p *page) listed(e *evidence.Event, l line) {
	if named, node := subjectOf(e.Reason, e.Message); named.Kind == "Pod" && named.Name == e.Object.Name {
		if e.Object.Namespace == "" {
			e.Object.Namespace = named.Namespace
		}
		p.bind(e.Object, node, l)
	}
	p.text.events = append(p.text.events, e)
}

// bind records the node of a pod from a Scheduled event.
func (p *page) bind(pod evidence.Subject, node string, l line) {
	if p.text.room("pods", l) {
		p.text.pods = append(p.text.pods, &evidence.Pod{
			Namespace: pod.Namespace, Name: pod.Name, Node: node, Partial: true,
		})
	}
}

// startListedEvent reads a row of "kubectl get events" without its header, as in grep output.
func startListedEvent(p *page, l line) reader {
	first, rest := nextWord(l.text)
	namespace := p.command().kubectl().namespace
	if !isAge(first) {
		if !isName(first) {
			return nil
		}
		namespace = first
		first, rest = nextWord(rest)
	}
	if strings.HasPrefix(rest, "(x") {
		i := strings.IndexByte(rest, ')')
		if i < 0 {
			return nil
		}
		first, rest = first+" "+rest[:i+1], strings.TrimLeft(rest[i+1:], " \t")
	}
	last, from, count, ok := tableInterval(first)
	if !ok {
		return nil
	}
	e := eventLine{last: last, first: from, count: count}
	var kind, name string
	if second, after := nextWord(rest); isAge(second) { // up to 1.12: LASTSEEN FIRSTSEEN COUNT NAME KIND [SUBOBJECT] TYPE REASON SOURCE MESSAGE
		n, after := nextWord(after)
		if e.count, _ = strconv.Atoi(n); e.count <= 0 {
			return nil
		}
		e.first = second
		name, after = nextWord(after)
		kind, after = nextWord(after)
		if _, e.typ, after = cutEventType(after); e.typ == "" {
			return nil
		}
		e.reason, after = nextWord(after)
		var source string
		source, e.message = splitFrom(after)
		e.component, e.host = eventSource(source)
	} else {
		e.typ = second
		e.reason, after = nextWord(after)
		kind, e.message = nextWord(after)
		if !isEventType(e.typ) || !isReason(e.reason) || !isObjectCell(kind) {
			return nil
		}
	}
	if !isReason(e.reason) {
		return nil
	}
	if !p.text.room("events", l) {
		return done
	}
	c := cells{"KIND": kind, "NAME": name}
	if strings.Contains(kind, "/") {
		c = cells{"OBJECT": kind}
	}
	p.listed(p.event(e, eventObject(c, namespace), l), l)
	return done
}

// isObjectCell reports whether a word is kind/name, or only a kind.
func isObjectCell(s string) bool {
	kind, name, slash := strings.Cut(s, "/")
	if slash {
		return isComponent(kind) && isName(name)
	}
	return isReason(s) && (kindName(strings.ToLower(s)) != "" && s[0] >= 'A' && s[0] <= 'Z')
}
