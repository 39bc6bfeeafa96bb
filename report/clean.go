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

// excerpt cuts a log line to about n characters. The hit is never cut: where it is longer than that, it alone is kept. Of the
// rest the end is worth most: programs say at the beginning what failed and at the end why.
func excerpt(s, hit string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	i := strings.Index(s, hit)
	switch {
	case hit == "":
		return ends(runes, n)
	case i < 0: // a bound cut it off before
		return ellipsis + " " + hit
	}
	at, length := utf8.RuneCountInString(s[:i]), utf8.RuneCountInString(hit)
	rest := len(runes) - at - length
	if room := n - length - len(ellipsis) - 2; rest > room && room >= leastEnd {
		return hitAndEnd(runes, at, length, room)
	}
	return around(runes, at, length, n)
}

// leastEnd is how many characters of a line's end say something.
const leastEnd = 30

// hitAndEnd keeps the hit at position at, and room characters: a few before it, what follows it, and the end of the text.
func hitAndEnd(text []rune, at, length, room int) string {
	before := ""
	from := at
	if at > 0 {
		before = ellipsis + " "
		if lead := room / 4; at <= lead {
			before, from = "", 0
		} else if i := slices.Index(text[at-lead:at], ' '); i >= 0 {
			from = at - lead + i + 1
		}
	}
	room -= at - from
	to := at + length + room/2
	if i := strings.LastIndexByte(string(text[at+length:to]), ' '); i >= 0 {
		to = at + length + utf8.RuneCountInString(string(text[at+length:to])[:i])
	}
	tail := text[len(text)-(room-(to-at-length)):]
	if i := slices.Index(tail, ' '); i >= 0 && i < len(tail)/4 {
		tail = tail[i+1:]
	}
	return before + string(text[from:to]) + " " + ellipsis + " " + string(tail)
}

// ends keeps about n characters of a text: a third from its head, the rest from its end.
func ends(text []rune, n int) string {
	if len(text) <= n {
		return string(text)
	}
	head, tail := string(text[:n/3]), string(text[len(text)-(n-n/3-len(ellipsis)-2):])
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, ' '); i >= 0 && i < len(tail)/4 {
		tail = tail[i+1:]
	}
	return head + " " + ellipsis + " " + tail
}

// around keeps n characters of a text, with the hit at position at in their middle third, or the whole hit.
func around(text []rune, at, length, n int) string {
	n = max(n, length)
	from := max(0, min(at-(n-length)/3, len(text)-n))
	to, end := from+n, at+length
	before, after := "", ""
	if from > 0 {
		before = ellipsis + " "
		if i := slices.Index(text[from:at], ' '); i >= 0 && i < n/4 {
			from += i + 1
		}
	}
	if to < len(text) {
		after = " " + ellipsis
		for i := to - 1; i >= end && i > to-n/4; i-- {
			if text[i] == ' ' {
				to = i
				break
			}
		}
	}
	return before + string(text[from:to]) + after
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
