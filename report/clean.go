package report

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters of an external text are shown in any form. A log line can be as long as its file.
const longest = 4000

// Clean makes an external text safe to print and to read. Control characters, escape sequences and characters that are
// invisible or change the direction of text become visible replacements. Tabs and line ends become spaces. Clean keeps at most
// a few thousand characters and marks the cut.
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

// hostile reports control characters, format characters (direction, zero width, tags), line separators, code points that are no
// characters, and invalid UTF-8.
func hostile(r rune) bool {
	return r == utf8.RuneError || r < ' ' || r >= 0x7f &&
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point)
}

// shorten cuts a text to n characters, at a word if possible, and marks the cut.
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

// ends keeps about n characters of a text: a third from the start, the rest from the end.
func ends(text []rune, n int) string {
	if len(text) <= n {
		return string(text)
	}
	head, at := string(text[:n/3]), len(text)-(n-n/3-len(ellipsis)-2)
	if i := strings.LastIndexAny(head, wordEnds); i > len(head)/2 {
		head = strings.TrimSuffix(head[:i+1], " ")
	}
	if i := slices.IndexFunc(text[at:], func(r rune) bool { return strings.ContainsRune(wordEnds, r) }); i >= 0 && i < (len(text)-at)/2 {
		at += i + 1
	}
	return head + " " + ellipsis + " " + string(text[withNegation(text, at):])
}

// shortenMiddle cuts a name to n characters and keeps its end, because names of a kind differ at their ends.
func shortenMiddle(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	head := (n - len(ellipsis)) / 2
	return string(runes[:head]) + ellipsis + string(runes[len(runes)-(n-len(ellipsis)-head):])
}

const ellipsis = "..."

// wordEnds end a word, or a part of an address or a path.
const wordEnds = " /?&,;"
