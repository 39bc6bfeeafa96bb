package redact

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// heads matches the prefixes that runtimes, journals and components add to the log line of another program.
var heads = lazyregexp.New(`^(?:\d{4}-\d\d-\d\dT\S+ (?:stdout|stderr) [FP] |(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+|\d{4}-\d\d-\d\dT\S+) \S+ [^\s:\[]+(?:\[\d+\])?: |[IWEF]\d{4} [\d:.]+ +\d+ [^\s\]]+\] |\[pod/[^\]]+\] )`)

const jsonHead = `{"log":"`

// logHead returns the text of the other program in a log line: after the prefix and before the suffix of the log.
func logHead(s string) (head, tail int) {
	if s == "" {
		return 0, 0
	}
	if strings.HasPrefix(s, jsonHead) {
		tail = len(s)
		for _, end := range []string{`\n","`, `","stream"`} {
			if i := strings.LastIndex(s, end); i >= len(jsonHead) {
				return len(jsonHead), i
			}
		}
		return len(jsonHead), tail
	}
	if c := s[0]; !isUpper(c) && c != '[' && (c < '0' || c > '9') {
		return 0, len(s)
	}
	if m := heads.FindStringIndex(s[:min(len(s), 400)]); m != nil {
		return m[1], len(s)
	}
	return 0, len(s)
}
