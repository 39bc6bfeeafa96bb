package evidence

import "strings"

// Bound cuts a text to at most n bytes and drops what is no valid UTF-8.
func Bound(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}
