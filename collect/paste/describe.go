package paste

import (
	"strings"
)

// section is one top-level key of a description and the lines indented below it.
type section struct {
	key   string
	value string // on the line of the key
	at    line
	lines []line
}

// all returns the value and the lines below it, without indentation.
func (s *section) all() []string {
	var out []string
	if s.value != "" && s.value != "<none>" {
		out = append(out, s.value)
	}
	for _, l := range s.lines {
		if text := strings.TrimSpace(l.text); text != "" && !isDots(text) {
			out = append(out, text)
		}
	}
	return out
}

// description collects the output of kubectl describe, whole or in part, object by object. It knows the keys of the supported
// kinds. Any other line at their level ends it.
type description struct {
	p        *page
	ask      kubectl
	base     int // indentation of the keys
	sections []*section
	last     *section
	blanks   int
	size     int
	events   eventRows
	fragment bool // of a container: its keys are at the level of the pod's keys
}

// maxDescription bounds the collected text of one object.
const maxDescription = 2 << 20

// startDescription starts at any line of a description.
func startDescription(p *page, l line) reader {
	d := &description{p: p, ask: p.command().kubectl(), base: indent(l.text)}
	if !d.take(l) {
		return nil
	}
	return d
}

// splitKey splits "Key:  value".
func splitKey(text string) (key, value string, ok bool) {
	text = strings.TrimSpace(text)
	key, value, ok = strings.Cut(text, ":")
	return key, strings.TrimSpace(value), ok && key != "" && (value == "" || value[0] == ' ' || value[0] == '\t')
}

// saysField reports whether a line may be a field of the object, and if not, whether the description goes on.
func (d *description) saysField(text string, l line) (says, goesOn bool) {
	if text == "" {
		d.blanks++
		return false, d.blanks <= 2
	}
	d.blanks = 0
	switch d.size += len(l.text); {
	case d.size > maxDescription:
		d.p.text.dropped["lines of descriptions"]++
		return false, true
	case isDots(text):
		return false, true
	case unitDot.MatchString(text): // a description contains no units
		return false, false
	}
	return true, true
}

func (d *description) take(l line) bool {
	text := strings.TrimSpace(l.text)
	if says, goesOn := d.saysField(text, l); !says {
		return goesOn
	}
	at := indent(l.text)
	key, value, isKey := splitKey(text)
	_, known := topKeys[key]
	known = known && isKey
	if d.fragment {
		switch {
		case known && at <= d.base && key != "Reason" && key != "Message":
			d.fragment = false
		case isKey || at > d.base:
			d.last.lines = append(d.last.lines, l)
			return true
		default:
			return false
		}
	}
	switch {
	case known && (at <= d.base || d.last != nil && topKeys[d.last.key] && len(d.last.lines) == 0 && d.last.key != key):
		d.base = at
		d.open(key, value, l)
		return true
	case d.last == nil && isKey && containerKeys[key] && (!strings.HasSuffix(key, "State") || isContainerState(value)):
		d.base, d.fragment = at, true
		d.open("Containers", "", l)
		d.last.lines = append(d.last.lines, l)
		return true
	case d.last != nil && at > d.base && (d.last.key != "Events" || d.events.accepts(at, text)):
		d.last.lines = append(d.last.lines, l)
		return true
	case d.row(at, text):
		d.last.lines = append(d.last.lines, l)
		return true
	}
	return false
}

// row reports whether a line that is not indented below a key is a table row. Pasted text often has no indentation, and tables are
// pasted alone. It opens the section of the table if needed.
func (d *description) row(at int, text string) bool {
	key := ""
	switch {
	case isEventHeader(text), isEventRow(text):
		key = "Events"
	case isConditionHeader(text), isConditionRow(text):
		key = "Conditions"
	case isResourceHeader(text):
		key = "Allocated resources"
	case isPodsHeader(text):
		key = "Non-terminated Pods"
	}
	if d.last != nil && (key == "" || d.last.key == key) {
		switch d.last.key {
		case "Events":
			return d.events.accepts(at, text)
		case "Conditions":
			return key != "" || isRule(text)
		case "Allocated resources":
			return key != "" || isRule(text) || strings.HasPrefix(text, "(Total limits") || isResourceRow(text)
		case "Non-terminated Pods":
			return key != "" || isRule(text) || isPodsRow(text)
		default:
			if key == "" && d.last.item(text) {
				return true
			}
		}
	}
	if key == "" || d.last != nil && at > d.base {
		return false
	}
	if key == "Events" && d.value("Name") == "" {
		d.build() // rows without a header may be of another object
	}
	d.open(key, "", line{no: d.p.no, text: text})
	if key == "Events" {
		d.events.accepts(at, text)
	}
	return true
}

// item reports whether a line without indentation is another value of the section.
func (s *section) item(text string) bool {
	key, value, isKey := splitKey(text)
	switch s.key {
	case "Taints":
		_, ok := parseTaint(text)
		return ok
	case "Labels":
		k, _, ok := strings.Cut(text, "=")
		return ok && isName(k) && !strings.Contains(text, " ")
	case "Tolerations":
		return strings.Contains(text, "op=Exists") || strings.HasSuffix(text, "NoSchedule") || strings.HasSuffix(text, "NoExecute")
	case "Capacity", "Allocatable":
		_, ok := amount(value)
		return isKey && ok
	case "Addresses":
		return isKey && isName(value) && (strings.HasSuffix(key, "IP") || strings.HasSuffix(key, "DNS") || key == "Hostname")
	case "Lease":
		return isKey && (key == "HolderIdentity" || strings.HasSuffix(key, "Time"))
	}
	return false
}

// open starts a section, and a new object if the key requires it.
func (d *description) open(key, value string, l line) {
	if key == "Name" && len(d.sections) > 0 || d.find(key) != nil {
		d.build()
	}
	d.last = &section{key: key, value: value, at: l}
	d.sections = append(d.sections, d.last)
	d.events = eventRows{}
}

func (d *description) find(key string) *section {
	for _, s := range d.sections {
		if s.key == key {
			return s
		}
	}
	return nil
}

// has reports whether one of the keys was seen.
func (d *description) has(keys ...string) bool {
	for _, k := range keys {
		if d.find(k) != nil {
			return true
		}
	}
	return false
}

// value returns the value of a key, or an empty string for a placeholder of kubectl.
func (d *description) value(key string) string {
	s := d.find(key)
	if s == nil {
		return ""
	}
	return cells{"": s.value}.get("")
}

func (d *description) close(ending) { d.build() }

// isRule reports whether a line is the dashes below a header.
func isRule(text string) bool { return strings.Trim(text, "- \t") == "" }
