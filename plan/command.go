package plan

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// plain is what may stand in a command that a person pastes into a shell: names come from the evidence and
// are hostile until they look like names.
var plain = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/=,@-]{0,252}$`)

// Command joins words that are ours with names that are not. A name that does not look like one becomes a
// gap to fill.
func Command(words string, names ...string) string {
	for _, n := range names {
		if !plain.MatchString(n) {
			n = "<name>"
		}
		words = strings.Replace(words, "%", n, 1)
	}
	return words
}
