package anonymize

import (
	"fmt"
	"strings"
)

const macLength = len("00:11:22:33:44:55")

// macAt finds a MAC address at p.
func (n *Names) macAt(s string, p int) (hi int, to string) {
	if p+macLength > len(s) || p > 0 && (wordByte(s[p-1]) || s[p-1] == ':') {
		return 0, ""
	}
	text, hi := s[p:p+macLength], p+macLength
	if !isMAC(text) || longerThanMAC(s[hi:]) {
		return 0, ""
	}
	pairs := strings.ToLower(strings.ReplaceAll(text, "-", ":"))
	if pairs == "00:00:00:00:00:00" || pairs == "ff:ff:ff:ff:ff:ff" || strings.HasPrefix(pairs, "02:00:00:00:") {
		return hi, text
	}
	stand := n.set(pairs, "mac", func(i int) string { return fmt.Sprintf("02:00:00:00:%02x:%02x", i>>8&255, i&255) })
	return hi, strings.ReplaceAll(stand, ":", text[2:3])
}

// isMAC reports whether a text of that length is pairs of hexadecimal digits with the same separator between them.
func isMAC(text string) bool {
	separator := text[2]
	if separator != ':' && separator != '-' {
		return false
	}
	for i := range macLength {
		if i%3 == 2 && text[i] != separator || i%3 != 2 && !hexDigit(text[i]) {
			return false
		}
	}
	return true
}

// longerThanMAC reports whether the text after six pairs makes them part of something else.
func longerThanMAC(rest string) bool {
	switch {
	case rest == "", rest[0] == '.':
		return false
	case rest[0] == ':':
		return len(rest) > 1 && hexDigit(rest[1])
	}
	return wordByte(rest[0])
}
