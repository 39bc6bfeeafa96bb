package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var placeholder = lazyregexp.New(`\{[a-zA-Z][a-zA-Z0-9_]*\}`)

// FillSummary replaces {name} with its capture. It drops a summary with an unknown name.
func FillSummary(text string, captures map[string]string) string {
	known := true
	text = placeholder.ReplaceAllStringFunc(text, func(place string) string { // only once: a capture may look like a placeholder
		value, ok := captures[strings.Trim(place, "{}")]
		known = known && ok
		return value
	})
	if !known {
		return ""
	}
	return text
}
