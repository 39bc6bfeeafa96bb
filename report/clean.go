package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters of one outside text any form shows: a log line can be as long as its file.
const longest = 4000

// Clean makes a text from outside safe to print and to read: control characters, escape sequences and
// characters that are invisible or change the direction of text become visible replacements; tabs and line
// ends become spaces. It keeps no more than a few thousand characters and marks the cut.
func Clean(s string) string {
	if len(s) > longest*utf8.UTFMax {
		s = strings.ToValidUTF8(s[:longest*utf8.UTFMax], "")
	}
	s = shorten(s, longest)
	if !strings.ContainsFunc(s, func(r rune) bool { return blank(r) || hostile(r) }) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case blank(r):
			return ' '
		case hostile(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

func blank(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }

// hostile are control characters, format characters (direction, zero width, tags), line separators, code
// points that are no characters, and what is not UTF-8.
func hostile(r rune) bool {
	return r == utf8.RuneError || r < ' ' || r >= 0x7f &&
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}

// shorten cuts a text to n characters, at a word where there is one, and marks the cut.
func shorten(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := string([]rune(s)[:max(n-len(ellipsis), 0)])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)*3/4 {
		cut = cut[:i]
	}
	return cut + ellipsis
}

// ends keeps about n characters of a text: a third from its head, the rest from its end.
func ends(text []rune, n int) string {
	if len(text) <= n {
		return string(text)
	}
	head, at := string(text[:n/3]), len(text)-(n-n/3-len(ellipsis)-2)
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
		head = head[:i]
	}
	if i := slices.Index(text[at:], ' '); i >= 0 && i < (len(text)-at)/4 {
		at += i + 1
	}
	return head + " " + ellipsis + " " + string(text[withNegation(text, at):])
}

// shortenMiddle cuts a name to n characters and keeps its end, by which names of a kind differ.
func shortenMiddle(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	head := (n - len(ellipsis)) / 2
	return string(runes[:head]) + ellipsis + string(runes[len(runes)-(n-len(ellipsis)-head):])
}

const ellipsis = "..."
