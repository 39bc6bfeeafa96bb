package redact

import (
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// span is a part of a line that is to be hidden.
type span struct {
	lo, hi int
	kind   string
}

// clue is a piece of text at which a secret may be near.
type clue struct {
	text  string // in lower case, but for exact ones
	exact bool
	word  bool // no letter or digit stands before it
	// find adds the secrets that belong to the clue, which stands at s[at:end].
	find func(l *Lines, s string, at, end int, out []span) []span
}

// clueTable finds clues by their first three bytes, folded to five bits each: letters of both cases are one. What else
// falls together is told apart by comparing the whole clue.
type clueTable struct {
	first [1 << 15]uint16 // number of the bucket; 0: no clue starts so
	some  [1 << 9]uint64  // whether a clue starts so, as bits: what is small stays near the processor
	lists [][]clue
	next  []uint32 // by the number: what may stand behind the three bytes, folded, as bits
}

var builtin struct {
	once  sync.Once
	clues *clueTable
}

// clues are all, made at the first use.
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

// goesOn reports whether what stands at the place may be the fourth byte of a clue of the bucket.
func (t *clueTable) goesOn(n uint16, s string, at int) bool {
	if at < len(s) {
		return t.next[n]>>(s[at]&31)&1 != 0
	}
	return t.next[n] == ^uint32(0)
}

// hasRuns reports whether what may be a text in base64 stands in the text.
func hasRuns(s string) bool {
	if len(s) < minRun {
		return false
	}
	_, hi := base64Run(s, 0)
	return hi > 0 || strings.Contains(s, padding)
}

// suspicious reports whether any clue stands in the text.
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

// scan finds what is to be hidden in a line, in order and without overlaps.
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
			if end := strings.IndexByte(s[at:], ']'); end > 0 { // it is hidden already
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

// maxLook bounds how far behind a clue its secret ends, in bytes. A line may hold thousands of clues, so behind the first manyLooks of
// them the bound is nearLook, and behind maxLooks the rest of the line is hidden: no line that anybody reads has so many. So the work
// on a line grows with its length, and not with the square of it.
const (
	maxLook   = 32 << 10
	nearLook  = 256
	manyLooks = 32
	maxLooks  = 1000
)

// look adds the secrets that belong to the clue at the place. One that goes on beyond the bound is hidden to the end of the line.
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

// at reports whether the clue stands at the place.
func (c *clue) at(s string, at int) bool {
	if len(s)-at < len(c.text) || c.word && !starts(s, at) {
		return false
	}
	if c.exact {
		return s[at:at+len(c.text)] == c.text
	}
	return hasPrefixFold(s[at:], c.text)
}

// hasPrefixFold is strings.HasPrefix for a prefix in lower case, without regard to the case of ASCII letters.
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

// inside reports whether the place is in one of the last spans.
func inside(spans []span, at int) bool {
	for _, p := range spans[max(0, len(spans)-8):] {
		if p.lo <= at && at < p.hi {
			return true
		}
	}
	return false
}

// merged puts spans in order and joins those that overlap.
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

// replace writes the line with its spans hidden.
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

// suspiciousBytes is suspicious, and tells lines of base64 and runs of it too.
func suspiciousBytes(b []byte) (clue, runs bool) {
	s := unsafe.String(unsafe.SliceData(b), len(b))
	runs = hasRuns(s)
	return runs || suspicious(s) || bodyLine(s), runs
}

// bodyLine reports whether a line may be one of a text in base64, such as the body of a key.
func bodyLine(s string) bool { return len(s) >= minBody && len(s) < 100 && base64Line(s) }
