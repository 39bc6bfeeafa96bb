package prefilter

// Text is a text for several expressions.
type Text struct {
	text   string
	folded []byte
	grams  *grams // nil: only few expressions are tried
	filled bool   // grams belong to this text
	board  *board
	boards bool // board is set for this text, or the text has none
}

// NewText prepares a text for a few expressions.
func NewText(s string) *Text { return &Text{text: s, folded: AppendFolded(nil, s)} }

// Set replaces the text, for many expressions.
func (t *Text) Set(s string) {
	t.text, t.folded, t.boards, t.filled = s, AppendFolded(t.folded[:0], s), false, false
	if t.grams == nil {
		t.grams = &grams{}
	}
}

// threes returns the byte groups of the text; nil if only few expressions are tried.
func (t *Text) threes() *grams {
	if t.grams != nil && !t.filled {
		t.grams.fill(t.folded)
		t.filled = true
	}
	return t.grams
}

// onBoard returns the board of the text; nil for texts that are long or not ASCII.
func (t *Text) onBoard() *board {
	if t.boards {
		return t.board
	}
	t.boards = true
	if len(t.text) > boardBytes || len(t.folded) != len(t.text) || !isASCII(t.folded) {
		t.board = nil
		return nil
	}
	if t.board == nil {
		t.board = &board{}
	}
	t.board.set(t)
	return t.board
}

func (t *Text) String() string { return t.text }

// Folded returns the text as folded by AppendFolded, valid until the next Set.
func (t *Text) Folded() []byte { return t.folded }

// grams records the groups of three bytes in a folded text, with some false positives. If a group of a literal is missing, the
// literal is not in the text and no search is needed.
type grams [1 << gramBits / 64]uint64

const (
	gramBits = 12
	gramSize = 3 // bytes
)

func gramOf(a, b, c byte) uint16 {
	return uint16((uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * 0x9E3779B1 >> (32 - gramBits))
}

func (g *grams) fill(folded []byte) {
	clear(g[:])
	for i := 0; i+gramSize <= len(folded); i++ {
		n := gramOf(folded[i], folded[i+1], folded[i+2])
		g[n/64] |= 1 << (n % 64)
	}
}

// has reports whether the text may contain all of these. It is true if nothing was recorded.
func (g *grams) has(list []uint16) bool {
	if g == nil {
		return true
	}
	for _, n := range list {
		if g[n/64]&(1<<(n%64)) == 0 {
			return false
		}
	}
	return true
}

// gramsOf returns up to four groups of a literal, spread over it; none for a shorter one.
func gramsOf(literal []byte) (out []uint16) {
	const most = 4
	last := len(literal) - gramSize
	if last < 0 {
		return nil
	}
	for i := range most {
		at := last * i / (most - 1)
		n := gramOf(literal[at], literal[at+1], literal[at+2])
		if len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return out
}
