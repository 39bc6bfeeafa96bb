package collect

import "bytes"

// marks finds whether one of a few texts stands in another, by jumps: two bytes at a time say how far away the next place is at
// which one of them can begin (Wu and Manber).
type marks struct {
	list  [][]byte
	width int // of the shortest
	jump  [1 << 10]uint8
}

func newMarks(texts ...string) *marks {
	m := &marks{width: len(texts[0])}
	for _, text := range texts {
		m.list = append(m.list, []byte(text))
		m.width = min(m.width, len(text))
	}
	for i := range m.jump {
		m.jump[i] = uint8(m.width - 1)
	}
	for _, text := range m.list {
		for i := 1; i < m.width; i++ {
			p := pair(text[i-1], text[i])
			m.jump[p] = min(m.jump[p], uint8(m.width-1-i))
		}
	}
	return m
}

// pair is two bytes by their lower five bits.
func pair(a, b byte) uint16 { return uint16(a&31)<<5 | uint16(b&31) }

// in reports whether one of them stands in the text.
func (m *marks) in(text []byte) bool {
	for end := m.width - 1; end < len(text); {
		jump := m.jump[pair(text[end-1], text[end])]
		if jump == 0 {
			if m.at(text[end-m.width+1:]) {
				return true
			}
			jump = 1
		}
		end += int(jump)
	}
	return false
}

func (m *marks) at(text []byte) bool {
	for _, mark := range m.list {
		if bytes.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}
