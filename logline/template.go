package logline

import (
	"hash/fnv"
	"strings"
)

// Template is the same for lines that differ only in words with a digit in them: numbers, times, addresses and generated names.
// Such lines are repetitions of one message.
func Template(line string) uint64 {
	h := fnv.New64a()
	var word strings.Builder
	digit := false
	flush := func() {
		if !digit {
			_, _ = h.Write([]byte(word.String()))
			_, _ = h.Write([]byte{' '})
		}
		word.Reset()
		digit = false
	}
	for _, c := range []byte(line) {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c == '.' || c == '/':
			word.WriteByte(c | 0x20)
		default:
			flush()
		}
	}
	flush()
	return h.Sum64()
}
