package anonymize

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// introductions are the texts after which a name follows.
var introductions = []string{"node ", "pod ", "namespace ", "ns ", "node: ", "namespace: ", "namespace=", "node=", "Node ", "Namespace: "}

// podRow matches the ready containers after a pod name in a table.
var podRow = lazyregexp.New(`^ +\d{1,3}/\d{1,3} `)

// expected reports whether a name is expected at the position: next to the slash of namespace/name, in quotes, or after
// an introducing word or character.
func (n *Names) expected(s string, lo, hi int) bool {
	before, after := s[:lo], s[hi:]
	switch {
	case inQuotes(before, after):
		return true
	case strings.HasPrefix(after, "/") && n.spaces[s[lo:hi]]:
		return n.isNamespaceOf(before, after[1:])
	case strings.HasSuffix(before, "/"):
		return n.isObjectOf(before[:len(before)-1])
	case afterTime(before, after), podRow.MatchString(after):
		return true
	case strings.HasSuffix(before, "@"), strings.HasPrefix(after, "@"): // root@node
		return true
	}
	return slices.ContainsFunc(introductions, func(text string) bool { return strings.HasSuffix(before, text) })
}

func inQuotes(before, after string) bool {
	if before == "" || after == "" || before[len(before)-1] != after[0] {
		return false
	}
	return after[0] == '"' || after[0] == '\''
}

// isNamespaceOf reports whether a known name follows the slash after a namespace, which no slash precedes.
func (n *Names) isNamespaceOf(before, name string) bool {
	_, known := n.to[strings.ToLower(name[:wordEnd(name, 0)])]
	return known && !strings.HasSuffix(before, "/")
}

// isObjectOf reports whether the word before a slash is a resource or a namespace.
func (n *Names) isObjectOf(before string) bool {
	from := len(before)
	for from > 0 && wordByte(before[from-1]) {
		from--
	}
	switch word := before[from:]; word {
	case "pod", "pods", "node", "nodes", "namespaces", "namespace", "ns":
		return true
	default:
		return n.spaces[word]
	}
}

// afterTime reports whether the position is the host field of a journal line: the time before it ends with seconds.
func afterTime(before, after string) bool {
	time, spaced := strings.CutSuffix(before, " ")
	if !spaced || !strings.HasPrefix(after, " ") || len(time) < 3 {
		return false
	}
	end := time[len(time)-3:]
	seconds := (end[0] == ':' || digit(end[0])) && digit(end[1]) && digit(end[2])
	return seconds && strings.Contains(time, ":")
}
