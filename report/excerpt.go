package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/logline"
)

// excerpt cuts a log line to about n characters. The hit is never cut: where it is longer than that, it alone is kept. Of the
// rest the clauses are kept that say most: those that name an error, what follows the hit, and the end.
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
		return hitAndClauses(runes, at, length, room)
	}
	return around(runes, at, length, n)
}

// leastEnd is how many characters of a line's end say something.
const leastEnd = 30

// hitAndClauses keeps the hit at position at, and room characters: a few before it, and the clauses behind it that say most.
func hitAndClauses(text []rune, at, length, room int) string {
	from := at
	if lead := room / 4; at <= lead {
		from = 0
	} else if i := slices.Index(text[at-lead:at], ' '); i >= 0 {
		from = at - lead + i + 1
	}
	kept := []extent{{from, at + length}}
	room -= at - from
	for _, c := range clauses(text, at+length) {
		gap := len(ellipsis) + 2
		if c.to-c.from > room-gap {
			if room-gap < leastEnd {
				continue
			}
			c = c.cut(text, room-gap)
		}
		room -= c.to - c.from + gap
		kept = append(kept, c.extent)
	}
	slices.SortFunc(kept, func(a, b extent) int { return cmp.Compare(a.from, b.from) })
	var b strings.Builder
	end := 0
	for _, s := range kept {
		switch {
		case s.from > end && end > 0:
			b.WriteString(" " + ellipsis + " ")
		case s.from > end:
			b.WriteString(ellipsis + " ")
		}
		b.WriteString(string(text[s.from:s.to]))
		end = s.to
	}
	if end < len(text) {
		b.WriteString(" " + ellipsis)
	}
	return b.String()
}

// extent is a part of a text, in characters.
type extent struct{ from, to int }

// clause is a part of a line between two marks, with what it is worth.
type clause struct {
	extent
	worth int
	last  bool
}

var (
	// clauseEnd is where one statement of a line ends and another begins; a quote ends one where a field follows.
	clauseEnd = lazyregexp.New(`: |[.;,] |\\n|\}\s|(" )\w+=`)
	// advice are sentences that tell what one could read or do, not what happened.
	advice = lazyregexp.New(`(?i)https?://aka\.ms|for more (?:information|details)|see (?:details|the documentation)|learn more|please (?:visit|refresh|see|refer|contact)|recently granted|troubleshoot|to increase the quota|View and manage|You may increase`)
)

// clauseLength is how many bytes the first clause of a text has; 0: it does not end before the text does.
func clauseLength(s string) int {
	m := clauseEnd.FindStringSubmatchIndex(s)
	switch {
	case m == nil:
		return 0
	case m[2] >= 0:
		return m[3]
	}
	return m[1]
}

// shortObject is how long a clause may be that stays with the one before it, which ends with a colon.
const shortObject = 48

// leastWords is how many words the first clause has: "perform: " and "iam:PassRole on resource" are one.
const leastWords = 1

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// clauses are those behind a position, what says most first.
func clauses(text []rune, from int) []clause {
	var out []clause
	behind := string(text[from:])
	for behind != "" {
		end := len(behind)
		if n := clauseLength(behind); n > 0 {
			end = n
		}
		for end < len(behind) && len(strings.FieldsFunc(behind[:end], notLetter)) < leastWords { // the mark after a hit is no clause
			next := len(behind)
			if n := clauseLength(behind[end:]); n > 0 {
				next = end + n
			}
			end = next
		}
		if n := clauseLength(behind[end:]); strings.HasSuffix(behind[:end], ": ") && n > 0 && n <= shortObject {
			end += n // a colon leads to what it is about
		}
		says := behind[:end]
		behind = behind[end:]
		to := from + utf8.RuneCountInString(says)
		c := clause{extent: extent{from, to}, last: behind == ""}
		from = to
		switch {
		case advice.MatchString(says):
			c.worth = -2
		case logline.KindOf(says) != "":
			c.worth = 3
		case logline.Loud(says):
			c.worth = 2
		}
		if len(out) == 0 {
			c.worth += 4 // what was recognised goes on here: who, or what
		}
		if c.last {
			c.worth += 2
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b clause) int { return cmp.Compare(b.worth, a.worth) })
	return out
}

// cut shortens a clause to n characters at a word: of the last of a line the end is kept, of another the beginning.
func (c clause) cut(text []rune, n int) clause {
	if c.last {
		c.from = c.to - n
		if i := slices.Index(text[c.from:c.to], ' '); i >= 0 && i < n/4 {
			c.from += i + 1
		}
		return c
	}
	c.to = c.from + n
	for i := c.to - 1; i > c.to-n/4; i-- {
		if text[i] == ' ' {
			c.to = i
			break
		}
	}
	return c
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
