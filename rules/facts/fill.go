package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

var placeholder = lazyregexp.New(`\{[a-zA-Z][a-zA-Z0-9_]*\}`)

// FillSummary replaces {name} by its capture; a summary with an unknown name is dropped.
func FillSummary(text string, captures map[string]string) string {
	for name, value := range captures {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	if placeholder.MatchString(text) {
		return ""
	}
	return text
}
