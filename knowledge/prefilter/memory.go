package prefilter

import "strings"

// Lines of a log repeat: what was found in a text is kept for the next one that is the same from where matches begin.
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
