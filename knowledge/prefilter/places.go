package prefilter

import (
	"bytes"
	"math/bits"
)

// places is a set of positions in a text, one bit each. The last one is its end.
type places []uint64

func (p places) add(at int)      { p[at>>6] |= 1 << (at & 63) }
func (p places) has(at int) bool { return p[at>>6]&(1<<(at&63)) != 0 }

// addRange adds the positions from lo to hi, both included.
func (p places) addRange(lo, hi int) {
	first, last := lo>>6, hi>>6
	head, tail := ^uint64(0)<<(lo&63), ^uint64(0)>>(63-hi&63)
	if first == last {
		p[first] |= head & tail
		return
	}
	p[first] |= head
	for i := first + 1; i < last; i++ {
		p[i] = ^uint64(0)
	}
	p[last] |= tail
}

// next returns the first position at or after at; -1 if there is none.
func (p places) next(at int) int {
	i := at >> 6
	if i >= len(p) {
		return -1
	}
	word := p[i] &^ (1<<(at&63) - 1)
	for word == 0 {
		if i++; i == len(p) {
			return -1
		}
		word = p[i]
	}
	return i<<6 + bits.TrailingZeros64(word)
}

// last returns the last position; -1 if there is none.
func (p places) last() int {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != 0 {
			return i<<6 + 63 - bits.LeadingZeros64(p[i])
		}
	}
	return -1
}

// merge adds the positions of another set, and reports whether some were new.
func (p places) merge(other places) bool {
	fresh := uint64(0)
	for i, word := range other {
		fresh |= word &^ p[i]
		p[i] |= word
	}
	return fresh != 0
}

// keep keeps the positions that are in both sets.
func (p places) keep(other places) {
	for i := range p {
		p[i] &= other[i]
	}
}

// drop removes the positions of another set.
func (p places) drop(other places) {
	for i, word := range other {
		p[i] &^= word
	}
}

// board allocates sets of positions of one text.
type board struct {
	text   string
	folded []byte // as long as the text, which is pure ASCII
	grams  *grams
	size   int      // of a set, in words
	room   []uint64 // for sets
	used   int      // of room, in words
	made   int      // sets
	edges  places   // where a word begins or ends
	edged  bool     // edges are those of this text
}

const (
	boardBytes = 4 << 10 // the maximum length of a text with a board
	maxSets    = 1024    // of one search; a search that needs more is not done here
)

// set starts a text.
func (b *board) set(t *Text) {
	b.text, b.folded, b.grams = t.text, t.folded, t.threes()
	b.size, b.edged = len(t.text)>>6+1, false
	b.begin()
}

// begin starts a search and drops the sets of the previous one.
func (b *board) begin() { b.used, b.made = 0, 0 }

// new returns an empty set.
func (b *board) new() places {
	if b.made++; len(b.room)-b.used < b.size {
		b.room, b.used = make([]uint64, max(16*b.size, 2*len(b.room))), 0
	}
	out := places(b.room[b.used : b.used+b.size : b.used+b.size])
	b.used += b.size
	clear(out)
	return out
}

func (b *board) clone(p places) places {
	out := b.new()
	copy(out, p)
	return out
}

// wordEdges returns the positions at which a word begins or ends.
func (b *board) wordEdges() places {
	if b.edged {
		return b.edges
	}
	b.edges, b.edged = append(b.edges[:0], make(places, b.size)...), true
	before := false
	for i := range len(b.text) {
		is := isWord[b.text[i]]
		if is != before {
			b.edges.add(i)
		}
		before = is
	}
	if before {
		b.edges.add(len(b.text))
	}
	return b.edges
}

var isWord = func() (out [256]bool) {
	for c := range out {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		out[c] = letter || c >= '0' && c <= '9' || c == '_'
	}
	return out
}()

// behind returns the end positions of a word that begins at one of the given positions.
func (b *board) behind(from places, w *word) places {
	out := b.new()
	first := from.next(0)
	if first < 0 || !b.grams.has(w.grams) {
		return out
	}
	last := from.last()
	if last-first < seldom {
		for at := first; at >= 0; at = from.next(at + 1) {
			if w.at(b.text, b.folded, at) {
				out.add(at + len(w.folded))
			}
		}
		return out
	}
	stop := min(last+len(w.folded), len(b.folded))
	for at := first; at < stop; at++ {
		i := bytes.Index(b.folded[at:stop], w.folded)
		if i < 0 {
			break
		}
		if at += i; from.has(at) && w.exact(b.text[at:]) {
			out.add(at + len(w.folded))
		}
	}
	return out
}

// seldom is the number of positions that are tried one by one.
const seldom = 16

// word is a literal of an expression.
type word struct {
	folded []byte
	grams  []uint16
	text   string
	strict []bool // by byte: only this case matches
	loose  bool   // no byte is strict
}

func (w *word) at(text string, folded []byte, at int) bool {
	if len(folded)-at < len(w.folded) || folded[at] != w.folded[0] {
		return false
	}
	return string(folded[at:at+len(w.folded)]) == string(w.folded) && w.exact(text[at:])
}

// exact reports whether the text, which begins with the word ignoring case, begins with it exactly.
func (w *word) exact(text string) bool {
	if w.loose {
		return true
	}
	for i, strict := range w.strict {
		if strict && text[i] != w.text[i] {
			return false
		}
	}
	return true
}
