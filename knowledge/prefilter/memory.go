package prefilter

import "strings"

// Lines of a log repeat. The result for a text is cached for the next text that is the same from the possible start of a match.
const (
	maxRemembered = 64      // texts of one expression
	maxMemory     = 1 << 10 // bytes of one of them
)

func remember[V any](in *map[string]V, text string, value V) {
	switch {
	case len(text) > maxMemory:
		return
	case *in == nil || len(*in) >= maxRemembered:
		*in = map[string]V{}
	}
	(*in)[strings.Clone(text)] = value
}
