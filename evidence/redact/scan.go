package redact

import (
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// span is a part of a line to redact.
type span struct {
	lo, hi int
	kind   string
}

// clue is a text that indicates a secret nearby.
type clue struct {
	text  string // in lower case, except exact ones
	exact bool
	word  bool // no letter or digit before it
	// find appends the secrets for the clue at s[at:end].
	find func(l *Lines, s string, at, end int, out []span) []span
}

// clueTable finds clues by their first three bytes, folded to five bits each, so that both letter cases are equal. A
// comparison of the whole clue resolves other collisions.
type clueTable struct {
	first [1 << 15]uint16 // bucket number; 0: no clue starts like this
	some  [1 << 9]uint64  // bitmap of possible starts, small enough for the CPU cache
	lists [][]clue
	next  []uint32 // bitmap of possible fourth bytes by bucket, folded
}

var builtin struct {
	once  sync.Once
	clues *clueTable
}

// clues returns all clues. It builds the table at the first use.
func clues() *clueTable {
	builtin.once.Do(func() { builtin.clues = newClueTable() })
	return builtin.clues
}

func newClueTable() *clueTable {
	t := &clueTable{lists: make([][]clue, 1), next: make([]uint32, 1)}
	for _, list := range [][]clue{blockClues(), formClues(), tokenClues(), wordClues(), vendorClues(), urlClues(), commandClues(), encodedClues(), processClues(), nameClues()} {
		for _, c := range list {
			h := fold3(c.text)
			if t.first[h] == 0 {
				t.first[h] = uint16(len(t.lists))
				t.some[h>>6] |= 1 << (h & 63)
				t.lists, t.next = append(t.lists, nil), append(t.next, 0)
			}
			n := t.first[h]
			t.lists[n] = append(t.lists[n], c)
			if len(c.text) == 3 {
				t.next[n] = ^uint32(0)
			} else {
				t.next[n] |= 1 << (c.text[3] & 31)
			}
		}
	}
	return t
}

func fold3(s string) uint32 { return uint32(s[0]&31)<<10 | uint32(s[1]&31)<<5 | uint32(s[2]&31) }

// goesOn reports whether the byte at the position may be the fourth byte of a clue in the bucket.
func (t *clueTable) goesOn(n uint16, s string, at int) bool {
	if at < len(s) {
		return t.next[n]>>(s[at]&31)&1 != 0
	}
	return t.next[n] == ^uint32(0)
}

// hasRuns reports whether the text may contain base64.
func hasRuns(s string) bool {
	if len(s) < minRun {
		return false
	}
	_, hi := base64Run(s, 0)
	return hi > 0 || strings.Contains(s, padding)
}

// suspicious reports whether the text contains a clue.
func suspicious(s string) bool {
	t := clues()
	h := uint32(0)
	for i := range len(s) {
		h = (h<<5 | uint32(s[i]&31)) & (1<<15 - 1)
		if t.some[h>>6]>>(h&63)&1 == 0 || i < 2 {
			continue
		}
		if n := t.first[h]; t.goesOn(n, s, i+1) {
			for k := range t.lists[n] {
				if t.lists[n][k].at(s, i-2) {
					return true
				}
			}
		}
	}
	return false
}

// scan returns the parts of a line to redact, in order and without overlaps.
func (l *Lines) scan(s string) []span {
	t := clues()
	l.looks = 0
	var out []span
	l.runs = runMemory{}
	h := uint32(0)
	for i := 0; i < len(s); i++ {
		h = (h<<5 | uint32(s[i]&31)) & (1<<15 - 1)
		if t.some[h>>6]>>(h&63)&1 == 0 || i < 2 {
			continue
		}
		n := t.first[h]
		if !t.goesOn(n, s, i+1) {
			continue
		}
		at := i - 2
		if strings.HasPrefix(s[at:], tagStart) {
			if end := strings.IndexByte(s[at:], ']'); end > 0 { // redacted already
				i, h = at+end, 0
			}
			continue
		}
		if inside(out, at) {
			continue
		}
		if l.looks > maxLooks {
			out = append(out, span{at, len(s), "crowded-line"})
			break
		}
		for k := range t.lists[n] {
			if c := &t.lists[n][k]; c.at(s, at) {
				out = c.look(l, s, at, out)
			}
		}
	}
	if !l.runless && len(s) >= minRun {
		out = storageKeys(s, l.base64Runs(s, out))
	}
	if zero := zeroIn(s); zero != "" {
		out = l.process(split(s, zero), out)
	}
	out = l.nested(s, out)
	out = slices.DeleteFunc(out, func(p span) bool {
		return strings.HasPrefix(s[p.lo:], tagStart) && strings.IndexByte(s[p.lo:p.hi], ' ') < 0
	})
	return merged(out)
}

// maxLook bounds the distance in bytes between a clue and the end of its secret. After manyLooks clues in a line the
// bound is nearLook, and after maxLooks the rest of the line is redacted. The cost of a line is therefore linear in its
// length, not quadratic.
const (
	maxLook   = 32 << 10
	nearLook  = 256
	manyLooks = 32
	maxLooks  = 1000
)

// look appends the secrets for the clue at the position. A secret beyond the bound is redacted to the end of the line.
func (c *clue) look(l *Lines, s string, at int, out []span) []span {
	reach := maxLook
	if l.looks++; l.looks > manyLooks {
		reach = nearLook
	}
	end := min(len(s), at+len(c.text)+reach)
	before := len(out)
	out = c.find(l, s[:end], at, at+len(c.text), out)
	for i := before; i < len(out); i++ {
		if out[i].hi == end {
			out[i].hi = len(s)
		}
	}
	return out
}

// at reports whether the clue is at the position.
func (c *clue) at(s string, at int) bool {
	if len(s)-at < len(c.text) || c.word && !starts(s, at) {
		return false
	}
	if c.exact {
		return s[at:at+len(c.text)] == c.text
	}
	return hasPrefixFold(s[at:], c.text)
}

// hasPrefixFold is strings.HasPrefix for a lower-case prefix, ignoring the case of ASCII letters.
func hasPrefixFold(s, lower string) bool {
	if len(s) < len(lower) {
		return false
	}
	for i := range len(lower) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

func hasSuffixFold(s, lower string) bool {
	return len(s) >= len(lower) && hasPrefixFold(s[len(s)-len(lower):], lower)
}

// inside reports whether the position is in one of the last spans.
func inside(spans []span, at int) bool {
	for _, p := range spans[max(0, len(spans)-8):] {
		if p.lo <= at && at < p.hi {
			return true
		}
	}
	return false
}

// merged sorts spans and joins overlapping ones.
func merged(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b span) int { return a.lo - b.lo })
	out := spans[:1]
	for _, p := range spans[1:] {
		if last := &out[len(out)-1]; p.lo < last.hi {
			last.hi = max(last.hi, p.hi)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// replace returns the line with its spans redacted.
func (r *Redactor) replace(s string, spans []span) string {
	if len(spans) == 0 {
		return s
	}
	var out strings.Builder
	last := 0
	for _, p := range spans {
		out.WriteString(s[last:p.lo])
		out.WriteString(r.hide(p.kind, s[p.lo:p.hi]))
		last = p.hi
	}
	out.WriteString(s[last:])
	return out.String()
}

// suspiciousBytes is suspicious for bytes, and also detects base64 lines and sequences.
func suspiciousBytes(b []byte) (clue, runs bool) {
	s := unsafe.String(unsafe.SliceData(b), len(b))
	runs = hasRuns(s)
	return runs || suspicious(s) || bodyLine(s), runs
}

// bodyLine reports whether a line may be base64, such as the body of a key.
func bodyLine(s string) bool { return len(s) >= minBody && len(s) < 100 && base64Line(s) }
