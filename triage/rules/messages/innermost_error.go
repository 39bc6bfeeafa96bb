package messages

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// fieldsBehind matches the fields of a line behind its message.
var fieldsBehind = lazyregexp.New(`(?:\s+\w+=(?:"[^"]{0,200}"|\S+))+\s*$`)

// systemErrors are errors of the operating system, as statements about the object before them.
var systemErrors = map[string]string{
	"no such file or directory": "does not exist", "permission denied": "cannot be accessed (permission denied)",
	"address already in use": "is already in use", "connection refused": "refuses the connection", "i/o timeout": "does not answer (i/o timeout)",
	"file exists": "exists already", "not a directory": "is not a directory", "exec format error": "is for another platform (exec format error)",
	"read-only file system": "is on a read-only file system",
}

// Limits of the words of an innermost error.
const (
	leastReason = 3
	mostReason  = 110
)

// innermostError returns the innermost error of a line as a statement: of an error of the operating system, what it is about; "" if the
// line has no error inside another one.
func innermostError(line string) string {
	text := fieldsBehind.ReplaceAllString(strings.TrimSpace(logline.Body(line)), "")
	parts := strings.Split(strings.TrimRight(text, `".' `), ": ")
	last := parts[len(parts)-1]
	if is := systemErrors[strings.ToLower(last)]; is != "" {
		return joinObject(parts[:len(parts)-1], is)
	}
	words := len(strings.Fields(last))
	if len(parts) < 2 || words < leastReason || len(last) > mostReason {
		return ""
	}
	if strings.ContainsAny(last, `"{}=[`) || strings.ContainsAny(last[len(last)-1:], ":,") { // fields, or a part of a statement
		return ""
	}
	return last
}

// joinObject puts the innermost object before a statement: the last path, address or name with a dot. "" if there is none.
func joinObject(outer []string, is string) string {
	for _, part := range slices.Backward(outer) {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		if object := strings.Trim(words[len(words)-1], "\"'\\"); strings.ContainsAny(object, "/.:") {
			return object + " " + is
		}
	}
	return ""
}
