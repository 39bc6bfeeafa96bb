package signatures

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/prefilter"
)

// finder looks for many literals at once, without regard to ASCII case: the Wu-Manber algorithm with blocks
// of four bytes. Bytes are folded with |0x20, which joins the letters' cases and a few harmless pairs; the
// expression that runs on each hit line decides.
//
// Long literals are searched by eight of their bytes, the least usual ones, so that the search can skip up
// to five bytes at a time; the few short ones have a table of their own.
type finder struct {
	tables []*table
}

const (
	block  = 4 // bytes that are looked up at once
	needle = 8 // bytes by which a long literal is searched
)

// table searches needles of about one length.
type table struct {
	window int // length of the shortest needle
	bits   uint
	shift  []uint8
	bucket map[uint32][]*entry // by the folded last block of the window
}

// entry is one needle with the literals that contain it.
type entry struct {
	needle   []byte // folded
	literals []literal
}

type literal struct {
	folded     []byte
	offset     int  // of the needle in it
	digits     bool // it has some
	signatures []*Signature
}

func fold(v uint32) uint32 { return v | 0x20202020 }

func (t *table) slot(v uint32) uint32 { return (v * 0x9E3779B1) >> (32 - t.bits) }

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
	t := &table{bits: 14, bucket: make(map[uint32][]*entry, len(entries))}
	for _, e := range entries {
		if t.window == 0 || len(e.needle) < t.window {
			t.window = len(e.needle)
		}
	}
	for 1<<t.bits < 4*len(entries)*(t.window-block+1) && t.bits < 18 {
		t.bits++
	}
	t.shift = make([]uint8, 1<<t.bits)
	far := uint8(t.window - block + 1)
	for i := range t.shift {
		t.shift[i] = far
	}
	for _, e := range entries {
		for end := block; end <= t.window; end++ {
			v := t.slot(binary.LittleEndian.Uint32(e.needle[end-block:]))
			t.shift[v] = min(t.shift[v], uint8(t.window-end))
		}
		v := binary.LittleEndian.Uint32(e.needle[t.window-block:])
		t.bucket[v] = append(t.bucket[v], e)
	}
	return t
}

// hit is a literal found in a text.
type hit struct {
	start      int
	digits     bool // the literal has some
	signatures []*Signature
}

// find appends all hits in the text, in the order of their start.
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

// order sorts by insertion: the hits of one table are out of order by the length of a literal at most.
func order(hits []hit) {
	for i := 1; i < len(hits); i++ {
		h, j := hits[i], i
		for ; j > 0 && hits[j-1].start > h.start; j-- {
			hits[j] = hits[j-1]
		}
		hits[j] = h
	}
}

// merged joins two sorted parts of a list; of equals those of the first come first.
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
		for _, e := range t.bucket[v] {
			if !hasFolded(text[start:], e.needle) {
				continue
			}
			for _, l := range e.literals {
				if from := start - l.offset; from >= 0 && hasFolded(text[from:], l.folded) {
					hits = append(hits, hit{from, l.digits, l.signatures})
				}
			}
		}
		pos++
	}
	return hits
}

func hasFolded(text, literal []byte) bool {
	if len(text) < len(literal) {
		return false
	}
	for i, b := range literal {
		if text[i]|0x20 != b {
			return false
		}
	}
	return true
}

// rarest returns where in the literal the least usual needle starts; the last of equals, as the ends of
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
