package plan

import (
	"slices"
	"strings"
)

// Join joins the parts of a sentence that say something.
func Join(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "; ")
}
