package why

import (
	"strings"

	"github.com/nodetriage/nodetriage/lazyregexp"
)

// plain is what may stand in a command as it is; anything else is quoted for a shell. Names come from the evidence and
// are hostile until they look like names.
var plain = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/=,@-]*$`)

// command joins words that are ours with those that are not, one for each %.
func command(words string, others ...string) string {
	parts := strings.SplitN(words, "%", len(others)+1)
	for i, o := range others {
		if !plain.MatchString(o) {
			o = "'" + strings.ReplaceAll(o, "'", `'\''`) + "'"
		}
		parts[i] += o
	}
	return strings.Join(parts, "")
}
