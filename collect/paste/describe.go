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
	separate := value == "" || value[0] == ' ' || value[0] == '\t' // unlike 10.0.0.1:80
	return key, strings.TrimSpace(value), ok && key != "" && separate
}

// saysField reports whether a line may be a field of the object, and if not, whether the description continues.
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
	f := fieldOf(text)
	if d.fragment && !d.endsFragment(f, at) {
		if !f.isKey && at <= d.base {
			return false
		}
		d.last.lines = append(d.last.lines, l)
		return true
	}
	d.fragment = false
	switch {
	case f.top && (at <= d.base || d.lacksIndent(f.key)):
		d.base = at
		d.open(f.key, f.value, l)
	case d.last == nil && f.startsFragment():
		d.base, d.fragment = at, true
		d.open("Containers", "", l)
		d.last.lines = append(d.last.lines, l)
	case d.below(at, text), d.row(at, text):
		d.last.lines = append(d.last.lines, l)
	default:
		return false
	}
	return true
}

// field is a line "Key:  value".
type field struct {
	key, value string
	isKey      bool
	top        bool // a key of objects, not of a part
}

func fieldOf(text string) field {
	key, value, isKey := splitKey(text)
	_, top := topKeys[key]
	return field{key, value, isKey, top && isKey}
}

// startsFragment reports whether a description may start at this field of a container.
func (f field) startsFragment() bool {
	if !f.isKey || !containerKeys[f.key] {
		return false
	}
	return !strings.HasSuffix(f.key, "State") || isContainerState(f.value)
}

// endsFragment reports whether the field is of the pod again. Containers too have the keys Reason and Message.
func (d *description) endsFragment(f field, at int) bool {
	return f.top && at <= d.base && f.key != "Reason" && f.key != "Message"
}

// lacksIndent reports whether a deeper key is at the level of the last one, which has its value on its line.
func (d *description) lacksIndent(key string) bool {
	return d.last != nil && topKeys[d.last.key] && len(d.last.lines) == 0 && d.last.key != key
}

// below reports whether an indented line belongs to the last key.
func (d *description) below(at int, text string) bool {
	if d.last == nil || at <= d.base {
		return false
	}
	return d.last.key != "Events" || d.events.accepts(at, text)
}

// row reports whether a line that is not indented below a key is a table row. Pasted text often has no indentation, and tables are
// pasted alone. It opens the section of the table if needed.
func (d *description) row(at int, text string) bool {
	table := tableOf(text)
	if d.last != nil && (table == "" || d.last.key == table) {
		return d.continues(table != "", at, text)
	}
	if table == "" || d.last != nil && at > d.base {
		return false
	}
	if table == "Events" && d.value("Name") == "" {
		d.build() // rows without a header may be of another object
	}
	d.open(table, "", line{no: d.p.no, text: text})
	if table == "Events" {
		d.events.accepts(at, text)
	}
	return true
}

// tableOf returns the section of a line that only one table can contain.
func tableOf(text string) string {
	switch {
	case isEventHeader(text), isEventRow(text):
		return "Events"
	case isConditionHeader(text), isConditionRow(text):
		return "Conditions"
	case isResourceHeader(text):
		return "Allocated resources"
	case isPodsHeader(text):
		return "Non-terminated Pods"
	}
	return ""
}

// continues reports whether a line without indentation belongs to the last section; sure: only the table of this section contains
// such lines.
func (d *description) continues(sure bool, at int, text string) bool {
	switch d.last.key {
	case "Events":
		return d.events.accepts(at, text)
	case "Conditions":
		return sure || isRule(text)
	case "Allocated resources":
		return sure || isRule(text) || strings.HasPrefix(text, "(Total limits") || isResourceRow(text)
	case "Non-terminated Pods":
		return sure || isRule(text) || isPodsRow(text)
	}
	return d.last.item(text)
}

// item reports whether a line without indentation is another value of the section.
func (s *section) item(text string) bool {
	key, value, isKey := splitKey(text)
	switch s.key {
	case "Taints":
		_, ok := parseTaint(text)
		return ok
	case "Labels":
		return isLabel(text)
	case "Tolerations":
		return strings.Contains(text, "op=Exists") || strings.HasSuffix(text, "NoSchedule") || strings.HasSuffix(text, "NoExecute")
	case "Capacity", "Allocatable":
		_, ok := amount(value)
		return isKey && ok
	case "Addresses":
		return isKey && isName(value) && isAddressType(key)
	case "Lease":
		return isKey && (key == "HolderIdentity" || strings.HasSuffix(key, "Time"))
	}
	return false
}

func isLabel(text string) bool {
	key, _, ok := strings.Cut(text, "=")
	return ok && isName(key) && !strings.Contains(text, " ")
}

// isAddressType reports whether a key can be the type of a node address: InternalIP, ExternalDNS, Hostname.
func isAddressType(key string) bool {
	return key == "Hostname" || strings.HasSuffix(key, "IP") || strings.HasSuffix(key, "DNS")
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
