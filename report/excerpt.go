package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// excerpt cuts a log line to about n characters. It never cuts the hit: if the hit is longer than n, only the hit is kept. Of
// the rest it keeps the most significant clauses: those that name an error, what follows the hit or the head, and the
// innermost.
func excerpt(s, hit string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	i := strings.Index(s, hit)
	switch {
	case hit == "" && (n < 2*leastEnd || clauseLength(s) == 0):
		return ends(runes, n)
	case i < 0: // a limit cut it off before
		return ellipsis + " " + hit
	}
	at, length := utf8.RuneCountInString(s[:i]), utf8.RuneCountInString(hit)
	rest := len(runes) - at - length
	if room := n - length - len(ellipsis) - 2; rest > room && room >= leastEnd {
		return hitAndClauses(runes, at, length, room)
	}
	return around(runes, at, length, n)
}

// leastEnd is the minimal number of characters of a line's end that is worth showing.
const leastEnd = 30

// hitAndClauses keeps the hit at position at and room more characters: a few before the hit, and the most significant clauses
// after it.
func hitAndClauses(text []rune, at, length, room int) string {
	from := at
	if lead := room / 4; at <= lead {
		from = 0
	} else if i := slices.Index(text[at-lead:at], ' '); i >= 0 {
		from = at - lead + i + 1
	}
	from = withNegation(text, from)
	kept := []extent{{from, at + length}}
	room -= at - from
	for _, c := range clauses(text, at+length) {
		gap := len(ellipsis) + 2
		if c.to-c.from > room-gap {
			if room-gap < leastEnd {
				continue
			}
			if head, end, ok := c.middle(text, room-2*gap); ok {
				kept = append(kept, head, end)
				break
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

// clause is a part of a line between two separators, with its weight.
type clause struct {
	extent
	worth int
	last  bool
}

var (
	// clauseEnd matches the end of a statement of a line. A quote ends one if a field follows.
	clauseEnd = lazyregexp.New(`: |[.;,] |(?:\\r)?\\n|\}\s|","|(" )\w+=`)
	// advice matches sentences that recommend reading or action, or say what happens next, and do not report an event.
	advice = lazyregexp.New(`(?i)^\W*(?:requeuing|retrying|will (?:be )?retr(?:y|ied)|backing off|giving up)\W*$|https?://aka\.ms|for more (?:information|details)|see (?:details|the documentation)|learn more|please (?:visit|refresh|see|refer|contact)|recently granted|troubleshoot|to increase the quota|View and manage|You may increase`)
)

// numbers matches fields that identify a request or its time, not an event.
var numbers = lazyregexp.New(`(?i)^\W*(?:trace|correlation|request|client|session|operation)[_ -]?id\b|^\W*(?:timestamp|error_codes|error_uri|suberror|error found in #|bigger context)\b`)

// innermostErrors match what a decoder found where it expected something else, a field or value that it rejects, and the scope of a
// refusal.
var innermostErrors = lazyregexp.New(`(?i)(?:[\w.\[\]]+: ){0,2}\bexpects? .{1,60}?,? (?:but )?found [^,\s]+|\bexpected .{1,60}?,? (?:but )?got [^,\s]+|cannot unmarshal \S+ into Go [^,)]{1,160}|(?:strict decoding error: )?unknown field \\*"[^"\s]{1,80}"|curl: \(\d+\) [^\n"]{1,80}|\b(?:are locked: |over scope |on scope )'[^']{1,200}'`)

// innermostOf returns the last innermost error of a text; "" if there is none.
func innermostOf(text string) string {
	all := innermostErrors.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][0]
}

// errno matches error texts of the operating system. Only the operation before them gives them a meaning.
var errno = lazyregexp.New(`(?i)^\W*(?:no space left on device|no such file or directory|permission denied|operation not (?:permitted|supported)|device or resource busy|invalid argument|input/output error|read-only file system|too many open files(?: in system)?|cannot allocate memory|resource temporarily unavailable|argument list too long|connection (?:refused|reset by peer)|no route to host|not found|file exists|exec format error|exit status \d{1,3})\W*(?:\s+\w+=\S+)*$`)

// mostWorth is the weight of a clause that contains an innermost error.
const mostWorth = 8

// clauseLength returns how many bytes the first clause of a text has; 0 if it ends with the text.
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

// shortObject limits the length of a clause that stays with the one before it, if that one ends with a colon.
const shortObject = 48

// leastWords is the minimal number of words of the first clause: "perform: " and "iam:PassRole on resource" are one.
const leastWords = 1

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// clauses returns the clauses after a position, the most significant first.
func clauses(text []rune, from int) []clause {
	var out []clause
	at, behind := from, string(text[from:])
	for behind != "" {
		end := len(behind)
		if n := clauseLength(behind); n > 0 {
			end = n
		}
		for end < len(behind) && len(strings.FieldsFunc(behind[:end], notLetter)) < leastWords { // a separator directly after a hit does not end a clause
			next := len(behind)
			if n := clauseLength(behind[end:]); n > 0 {
				next = end + n
			}
			end = next
		}
		end += objectLength(behind[:end], behind[end:])
		says := behind[:end]
		behind = behind[end:]
		to := from + utf8.RuneCountInString(says)
		c := clause{extent: extent{from, to}, last: behind == ""}
		from = to
		switch {
		case innermostOf(says) != "":
			c.worth = mostWorth
		case advice.MatchString(says) || numbers.MatchString(says):
			c.worth = -2
		case logline.KindOf(says) != "" || logline.Decides(says) > 0:
			c.worth = 3
		case logline.Loud(says):
			c.worth = 2
		}
		if len(out) == 0 && at > 0 {
			c.worth += 4 // the matched statement continues here: who, or what
		}
		out = append(out, c)
	}
	innermost(out)
	slices.SortStableFunc(out, func(a, b clause) int { return cmp.Compare(b.worth, a.worth) })
	return out
}

// objectLength returns how many bytes of next belong to a clause. A colon leads to the object of the clause, and an error text
// of the operating system is about the operation before it.
func objectLength(clause, next string) int {
	n := cmp.Or(clauseLength(next), len(next))
	if at := innermostErrors.FindStringIndex(clause + next); at != nil && at[0] < len(clause) && at[1] > len(clause) {
		return at[1] - len(clause) // its words stay together
	}
	if n == 0 || !errno.MatchString(next[:n]) && (!strings.HasSuffix(clause, ": ") || n > shortObject) {
		return 0
	}
	if after := cmp.Or(clauseLength(next[n:]), len(next)-n); errno.MatchString(next[n : n+after]) {
		n += after
	}
	return n
}

// innermost raises the weight of the last clause that reports an event. Errors wrap each other, and the innermost is the
// reason.
func innermost(list []clause) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].worth >= 0 {
			list[i].worth += 3
			if list[i].worth > 3 { // an error: more than what follows the hit directly
				list[i].worth += 2
			}
			return
		}
	}
}

// negations are words that negate the next ones.
var negations = []string{"not", "no", "never", "cannot", "can't", "without", "isn't", "wasn't", "doesn't"}

// withNegation moves the start of an excerpt before a negation, so that the excerpt does not mean the opposite.
func withNegation(text []rune, from int) int {
	word := from
	for word > 0 && text[word-1] == ' ' {
		word--
	}
	end := word
	for word > 0 && text[word-1] != ' ' {
		word--
	}
	if slices.Contains(negations, strings.ToLower(string(text[word:end]))) {
		return word
	}
	return from
}

// cut shortens a clause to n characters at a word. It keeps the end of a line's last clause, and the start of any other.
func (c clause) cut(text []rune, n int) clause {
	if c.last {
		c.from = c.to - n
		if i := slices.Index(text[c.from:c.to], ' '); i >= 0 && i < n/4 {
			c.from += i + 1
		}
		c.from = withNegation(text, c.from)
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

// middle cuts the middle out of a clause so that n characters remain: its start says what failed, its end names the object or the reason.
// ok reports whether both are long enough to say something.
func (c clause) middle(text []rune, n int) (head, end extent, ok bool) {
	if n < 2*leastEnd || c.last || c.worth >= mostWorth { // an innermost error stays whole
		return head, end, false
	}
	head, end = extent{c.from, c.from + n/2}, extent{c.to - (n - n/2), c.to}
	if i := lastSpace(text[head.from:head.to]); i > n/4 {
		head.to = head.from + i
	}
	if i := slices.Index(text[end.from:end.to], ' '); i >= 0 && i < n/4 {
		end.from += i + 1
	}
	return head, end, true
}

// lastSpace returns the index of the last space, or -1.
func lastSpace(text []rune) int {
	for i, r := range slices.Backward(text) {
		if r == ' ' {
			return i
		}
	}
	return -1
}

// around keeps n characters of a text, with the hit at position at in their middle third, or the whole hit.
func around(text []rune, at, length, n int) string {
	n = max(n, length)
	from := max(0, min(at-(n-length)/3, len(text)-n))
	if len(text)-at <= n { // the innermost error stands at the end
		from = len(text) - n
	}
	to, end := from+n, at+length
	before, after := "", ""
	if from > 0 {
		before = ellipsis + " "
		if i := slices.Index(text[from:at], ' '); i >= 0 && i < n/4 {
			from += i + 1
		}
		from = withNegation(text, from)
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
