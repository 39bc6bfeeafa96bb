package paste

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/nodetriage/nodetriage/evidence"
)

// eventRow reads "kubectl get events" of every version. Up to 1.12, the object is KIND and NAME. NAME is the event name (the
// object name with a suffix), in the first versions the object name. From 1.14 on it is OBJECT as kind/name, in between only KIND.
func eventRow(t *table, c cells, l line) bool {
	typ := c["TYPE"]
	if !isEventType(typ) || !isReason(c["REASON"]) {
		return false
	}
	last, first, count, ok := tableInterval(c["LASTSEEN"])
	if !ok {
		return false
	}
	if !t.p.text.room("events", l) {
		return true
	}
	namespace := c["NAMESPACE"]
	if namespace == "" {
		namespace = t.ask.namespace
	}
	e := &evidence.Event{Type: typ, Reason: c["REASON"], Message: c["MESSAGE"], Count: count, Ref: t.p.ref(l), Line: l.no, EndLine: l.no}
	e.Component, e.Host = eventSource(c.get("SOURCE"))
	if n, err := strconv.Atoi(c["COUNT"]); err == nil {
		e.Count = n
	}
	if f := c["FIRSTSEEN"]; f != "" {
		first = f
	}
	e.Object = eventObject(c, namespace)
	t.p.text.setAges(e, last, first)
	t.p.listed(e, l)
	return true
}

func eventObject(c cells, namespace string) evidence.Subject {
	kind, name := c["KIND"], ""
	if object := c["OBJECT"]; object != "" {
		kind, name, _ = strings.Cut(object, "/")
	} else if kind != "" {
		name = c["NAME"]
		if i := strings.LastIndexByte(name, '.'); i > 0 && isHex(name[i+1:]) {
			name = name[:i]
		}
	}
	if kind == "" {
		return evidence.Subject{}
	}
	s := evidence.Subject{Kind: kindName(kind), Namespace: namespace, Name: name}
	if s.Kind == "Node" {
		s.Namespace = ""
	}
	return s
}

// kindName restores the case of a kind that kubectl printed in lower case.
func kindName(word string) string {
	if k := evidence.KindNamed(word); k != "" {
		return k
	}
	if word == strings.ToLower(word) && word != "" {
		return strings.ToUpper(word[:1]) + word[1:]
	}
	return word
}

// eventSource parses "kubelet, node-1" and the older "{kubelet node-1}".
func eventSource(s string) (component, host string) {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
	s = strings.TrimSpace(s)
	component, host, found := strings.Cut(s, ",")
	if !found {
		component, host, _ = strings.Cut(s, " ")
	}
	return strings.TrimSpace(component), strings.TrimSpace(host)
}

func isEventType(s string) bool { return s == "Normal" || s == "Warning" }

// isReason reports whether a word can be the reason of an event: CamelCase.
func isReason(s string) bool {
	if s == "" || len(s) > 128 || !unicode.IsLetter(rune(s[0])) {
		return false
	}
	for _, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_.:/", c) {
			return false
		}
	}
	return true
}

func isHex(s string) bool {
	for _, c := range s {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return len(s) >= 8
}
