package signatures

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// finder searches for many literals at once, ignoring ASCII case: the Wu-Manber algorithm with blocks of four bytes. Bytes are
// folded with |0x20, which joins the letters' cases and a few harmless pairs. The expression that runs on each matching line
// decides.
//
// Long literals are searched by eight of their bytes, the least usual ones, so that the search can skip up to five bytes at a
// time. The few short ones have a separate table.
type finder struct {
	tables []*table
}

const (
	block  = 4 // bytes of one lookup
	needle = 8 // bytes that are searched of a long literal
)

// table searches needles of about one length.
type table struct {
	window  int // length of the shortest needle
	bits    uint
	shift   []uint8  // by the slot of a block: distance to the next possible end of a needle
	first   []uint32 // by the slot of a whole window: the index of its first entry; one extra slot
	entries []entry  // sorted by slot
}

// entry is one needle with the literals that contain it.
type entry struct {
	needle   []byte // folded
	window   uint64 // its first bytes
	literals []literal
}

type literal struct {
	folded     []byte
	offset     int  // it has digits
	digits     bool // it has some
	signatures []*Signature
}

// folding joins the cases of eight bytes.
const folding = 0x2020202020202020

func fold(v uint32) uint32 { return v | folding>>32 }

func (t *table) slot(v uint32) uint32 { return (v * 0x9E3779B1) >> (32 - t.bits) }

func (t *table) slotOfWindow(v uint64) uint64 { return (v * 0x9E3779B97F4A7C15) >> (64 - t.bits) }

// windowOf returns the folded window at the start of the text, as a number.
func (t *table) windowOf(text []byte) (v uint64) {
	if len(text) >= needle {
		return (binary.LittleEndian.Uint64(text) | folding) << (8 * (needle - t.window))
	}
	for i := range t.window {
		v |= uint64(text[i]|0x20) << (8 * (needle - t.window + i))
	}
	return v
}

func newFinder(list []*Signature) *finder {
	byLiteral := make(map[string][]*Signature, 2*len(list))
	for _, s := range list {
		for _, lit := range s.literals {
			byLiteral[lit] = append(byLiteral[lit], s)
		}
	}
	short, long := map[string]*entry{}, make(map[string]*entry, 2*len(list))
	for lit, sigs := range byLiteral {
		folded := prefilter.AppendFolded(nil, lit)
		at, n := 0, len(folded)
		group := short
		if n >= needle {
			at, n, group = rarest(lit), needle, long
		}
		key := string(folded[at : at+n])
		e := group[key]
		if e == nil {
			e = &entry{needle: folded[at : at+n]}
			group[key] = e
		}
		e.literals = append(e.literals, literal{folded, at, strings.ContainsAny(lit, "0123456789"), sigs})
	}
	f := &finder{}
	for _, group := range []map[string]*entry{short, long} {
		if len(group) > 0 {
			f.tables = append(f.tables, newTable(group))
		}
	}
	return f
}

func newTable(entries map[string]*entry) *table {
	t := &table{bits: 14, window: needle}
	for _, e := range entries {
		t.window = min(t.window, len(e.needle))
	}
	for 1<<t.bits < 4*len(entries)*(t.window-block+1) && t.bits < 18 {
		t.bits++
	}
	t.shift = bytes.Repeat([]byte{uint8(t.window - block + 1)}, 1<<t.bits)
	t.first = make([]uint32, 1<<t.bits+1)
	for _, e := range entries {
		for end := block; end <= t.window; end++ {
			v := t.slot(binary.LittleEndian.Uint32(e.needle[end-block:]))
			t.shift[v] = min(t.shift[v], uint8(t.window-end))
		}
		e.window = t.windowOf(e.needle)
		t.first[t.slotOfWindow(e.window)+1]++
		t.entries = append(t.entries, *e)
	}
	for i := range t.first[1:] {
		t.first[i+1] += t.first[i]
	}
	slices.SortFunc(t.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(t.slotOfWindow(a.window), t.slotOfWindow(b.window)), bytes.Compare(a.needle, b.needle))
	})
	return t
}

// hit is a literal found in a text.
type hit struct {
	start      int
	digits     bool // the literal has digits
	signatures []*Signature
}

// find appends all hits in the text, sorted by start.
func (f *finder) find(text []byte, hits []hit) []hit {
	for i, t := range f.tables {
		from := len(hits)
		hits = t.find(text, hits)
		order(hits[from:])
		if i > 0 && from > 0 && from < len(hits) {
			hits = merged(hits, from)
		}
	}
	return hits
}

// order sorts by insertion, because the hits of one table are out of order by at most the length of a literal.
func order(hits []hit) {
	for i := 1; i < len(hits); i++ {
		h, j := hits[i], i
		for ; j > 0 && hits[j-1].start > h.start; j-- {
			hits[j] = hits[j-1]
		}
		hits[j] = h
	}
}

// merged merges two sorted parts of a list. It is stable.
func merged(hits []hit, middle int) []hit {
	second := slices.Clone(hits[middle:])
	i, j := middle-1, len(second)-1
	for at := len(hits) - 1; j >= 0; at-- {
		if i >= 0 && hits[i].start > second[j].start {
			hits[at] = hits[i]
			i--
		} else {
			hits[at] = second[j]
			j--
		}
	}
	return hits
}

func (t *table) find(text []byte, hits []hit) []hit {
	shift, bits := t.shift, 32-t.bits
	for pos := t.window; pos <= len(text); {
		v := fold(binary.LittleEndian.Uint32(text[pos-block:]))
		if d := shift[(v*0x9E3779B1)>>bits]; d > 0 {
			pos += int(d)
			continue
		}
		start := pos - t.window
		window := t.windowOf(text[start:])
		slot := t.slotOfWindow(window)
		for i := t.first[slot]; i < t.first[slot+1]; i++ {
			if e := &t.entries[i]; e.window == window {
				hits = e.appendHits(hits, text, start)
			}
		}
		pos++
	}
	return hits
}

// appendHits appends the literals of the needle that may start here.
func (e *entry) appendHits(hits []hit, text []byte, start int) []hit {
	for _, l := range e.literals {
		if from := start - l.offset; from >= 0 && hasFolded(text[from:], l.folded) {
			hits = append(hits, hit{from, l.digits, l.signatures})
		}
	}
	return hits
}

func hasFolded(text, literal []byte) bool {
	if len(text) < len(literal) {
		return false
	}
	for len(literal) >= needle {
		if binary.LittleEndian.Uint64(text)|folding != binary.LittleEndian.Uint64(literal) {
			return false
		}
		text, literal = text[needle:], literal[needle:]
	}
	for i, b := range literal {
		if text[i]|0x20 != b {
			return false
		}
	}
	return true
}

// rarest returns the position of the least usual needle in the literal. On a tie it returns the last, because the ends of
// messages differ more than their beginnings.
func rarest(lit string) int {
	common := commonBytes(lit)
	best, least := 0, needle+1
	for at := 0; at+needle <= len(lit); at++ {
		n := 0
		for _, c := range common[at : at+needle] {
			if c {
				n++
			}
		}
		if n <= least {
			best, least = at, n
		}
	}
	return best
}
