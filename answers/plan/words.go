package plan

import (
	"slices"
	"strings"
)

// Join joins the non-empty parts of a sentence.
func Join(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "; ")
}
