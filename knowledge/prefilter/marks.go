package prefilter

// Marks checks whether a text contains one of a few texts, by jumps: two bytes at a time give the distance to the next possible
// start (Wu and Manber).
type Marks struct {
	list  [][]byte
	width int // of the shortest
	jump  [1 << 10]uint8
}

// NewMarks returns Marks for texts of at least two bytes.
func NewMarks(texts ...string) *Marks {
	m := &Marks{width: len(texts[0])}
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

// pair returns the lower five bits of two bytes.
func pair(a, b byte) uint16 { return uint16(a&31)<<5 | uint16(b&31) }

// In reports whether the text contains one of them.
func (m *Marks) In(text []byte) bool { return marked(m, text) }

// InString is In for a string.
func (m *Marks) InString(text string) bool { return marked(m, text) }

func marked[T string | []byte](m *Marks, text T) bool {
	for end := m.width - 1; end < len(text); {
		jump := m.jump[pair(text[end-1], text[end])]
		if jump == 0 {
			if begins(m, text[end-m.width+1:]) {
				return true
			}
			jump = 1
		}
		end += int(jump)
	}
	return false
}

func begins[T string | []byte](m *Marks, text T) bool {
	for _, mark := range m.list {
		if len(text) >= len(mark) && string(text[:len(mark)]) == string(mark) {
			return true
		}
	}
	return false
}
