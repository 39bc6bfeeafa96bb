package signatures

import "encoding/binary"

// finder looks for many literals at once, without regard to ASCII case: the Wu-Manber algorithm with blocks
// of four bytes. Bytes are folded with |0x20, which joins the letters' cases and a few harmless pairs; the
// expression that runs on each hit line decides.
type finder struct {
	window int // length of the shortest literal, at least minLiteral
	shift  []uint8
	bucket map[uint32][]*entry // by folded first block of the window's end
}

type entry struct {
	literal    []byte // folded
	signatures []*Signature
}

const (
	block     = 4
	tableBits = 16
)

func fold(v uint32) uint32 { return v | 0x20202020 }

func slot(v uint32) uint32 { return (v * 0x9E3779B1) >> (32 - tableBits) }

func newFinder(list []*Signature) *finder {
	byLiteral := map[string]*entry{}
	window := 0
	for _, s := range list {
		for _, lit := range s.literals {
			e := byLiteral[lit]
			if e == nil {
				folded := []byte(lit)
				for i := range folded {
					folded[i] |= 0x20
				}
				e = &entry{literal: folded}
				byLiteral[lit] = e
			}
			e.signatures = append(e.signatures, s)
			if window == 0 || len(lit) < window {
				window = len(lit)
			}
		}
	}
	f := &finder{window: window, shift: make([]uint8, 1<<tableBits), bucket: map[uint32][]*entry{}}
	if window == 0 {
		return f
	}
	far := uint8(min(window-block+1, 255))
	for i := range f.shift {
		f.shift[i] = far
	}
	for _, e := range byLiteral {
		for end := block; end <= window; end++ {
			v := binary.LittleEndian.Uint32(e.literal[end-block:])
			if d := uint8(window - end); d < f.shift[slot(v)] {
				f.shift[slot(v)] = d
			}
		}
		v := binary.LittleEndian.Uint32(e.literal[window-block:])
		f.bucket[v] = append(f.bucket[v], e)
	}
	return f
}

// next returns the first hit at or after from: its start and its entry, or -1.
func (f *finder) next(text []byte, from int, visit func(start int, e *entry)) int {
	if f.window == 0 {
		return -1
	}
	pos := from + f.window // end of the window
	for pos <= len(text) {
		v := fold(binary.LittleEndian.Uint32(text[pos-block:]))
		if d := f.shift[slot(v)]; d > 0 {
			pos += int(d)
			continue
		}
		hit := false
		start := pos - f.window
		for _, e := range f.bucket[v] {
			if hasFolded(text[start:], e.literal) {
				visit(start, e)
				hit = true
			}
		}
		if hit {
			return start
		}
		pos++
	}
	return -1
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
