package ignore

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// OfObjects reads the annotations of nodes, pods and workloads. Each line is an exception: the cause, until=DAY, optionally
// who=NAME, and why=REASON, which takes the rest. Anyone with write access to the object can write it, so an invalid one is only
// reported in the notes.
func OfObjects(s *evidence.Snapshot, known func(cause string) bool, suggest func(cause string) string) *List {
	l := &List{}
	add := func(on evidence.Subject, text string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" || len(l.all) >= maxObjects {
				continue
			}
			where := fmt.Sprintf("annotation %s of %s", evidence.MarkIgnore, spelled(on))
			e := parse(line)
			e.object, e.Subject, e.Where = on, spelled(on), where
			if err := e.complete(known, suggest); err != nil {
				l.notes = append(l.notes, fmt.Sprintf("%s: %v", where, err))
				continue
			}
			l.all = append(l.all, e)
		}
	}
	for _, n := range s.Data().Nodes {
		if n.Node != nil {
			add(n.Subject(), n.Annotations[evidence.MarkIgnore])
		}
	}
	for _, p := range s.Data().Pods {
		add(p.Subject(), p.Ignore)
	}
	for _, w := range s.Data().Workloads {
		add(w.Subject(), w.Annotations[evidence.MarkIgnore])
	}
	return l
}

const maxObjects = 10000 // exceptions from annotations

var field = regexp.MustCompile(`(?:^|\s)(until|who|why)=`)

// parse splits one line of an annotation. complete checks for missing fields.
func parse(line string) Exception {
	var e Exception
	line = strings.ToValidUTF8(line, "")
	head := line
	if at := field.FindStringIndex(line); at != nil {
		head = line[:at[0]]
	}
	e.Cause = strings.TrimSpace(head)
	rest := line[len(head):]
	for {
		at := field.FindStringSubmatchIndex(rest)
		if at == nil {
			return e
		}
		key, value := rest[at[2]:at[3]], rest[at[1]:]
		if key == "why" {
			e.Why = bounded(strings.Trim(value, `"' `))
			return e
		}
		rest = ""
		if next := field.FindStringIndex(value); next != nil {
			value, rest = value[:next[0]], value[next[0]:]
		}
		value = bounded(strings.Trim(value, `"' `))
		if key == "until" {
			e.Until = value
		} else {
			e.Who = value
		}
	}
}
