package prefilter

import "strings"

// The two letters outside ASCII that (?i) takes for ASCII ones: the Kelvin sign and the long s.
var beyondASCII = strings.NewReplacer("\u212a", "k", "\u017f", "s")

// AppendFolded appends the text with every byte folded by |0x20: the cases of ASCII letters become one, and so do a few
// other pairs, which the expression that runs afterwards distinguishes.
func AppendFolded(to []byte, text string) []byte {
	if strings.Contains(text, "\u212a") || strings.Contains(text, "\u017f") {
		text = beyondASCII.Replace(text)
	}
	at := len(to)
	to = append(to, text...)
	for i := at; i < len(to); i++ {
		to[i] |= 0x20
	}
	return to
}
