package prefilter

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// The two letters outside ASCII that (?i) treats like ASCII ones: the Kelvin sign and the long s.
var beyondASCII = strings.NewReplacer("\u212a", "k", "\u017f", "s")

// AppendFolded appends the text with every byte folded by |0x20. This joins the cases of ASCII letters and a few other pairs,
// which the expression that runs later distinguishes.
func AppendFolded(to []byte, text string) []byte {
	if strings.Contains(text, "\u212a") || strings.Contains(text, "\u017f") {
		text = beyondASCII.Replace(text)
	}
	at := len(to)
	to = append(to, text...)
	rest := to[at:]
	for ; len(rest) >= 8; rest = rest[8:] {
		binary.LittleEndian.PutUint64(rest, binary.LittleEndian.Uint64(rest)|0x2020202020202020)
	}
	for i := range rest {
		rest[i] |= 0x20
	}
	return to
}

// isBeyond reports whether a rune is one of these two letters.
func isBeyond(r rune) bool { return r == '\u212a' || r == '\u017f' }

// isASCII reports whether a text is pure ASCII.
func isASCII(text []byte) bool {
	const high = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
	}
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
