package prefilter

// Text is a text that several expressions are tried on.
type Text struct {
	text   string
	folded []byte
	grams  *grams // nil: few expressions are tried on it
	filled bool   // whether grams are those of this text
	board  *board
	boards bool // whether board is set for this text, or the text gets none
}

// NewText prepares a text for a few expressions.
func NewText(s string) *Text { return &Text{text: s, folded: AppendFolded(nil, s)} }

// Set makes it another text, for many expressions.
func (t *Text) Set(s string) {
	t.text, t.folded, t.boards, t.filled = s, AppendFolded(t.folded[:0], s), false, false
	if t.grams == nil {
		t.grams = &grams{}
	}
}

// threes are the groups of bytes of the text; nil: few expressions are tried on it.
func (t *Text) threes() *grams {
	if t.grams != nil && !t.filled {
		t.grams.fill(t.folded)
		t.filled = true
	}
	return t.grams
}

// onBoard is the board of the text; nil for texts that are long or not of ASCII.
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

// Folded is the text as AppendFolded gives it, until the next Set.
func (t *Text) Folded() []byte { return t.folded }

// grams tells which groups of three bytes a folded text has: all that it has, and by chance others. A literal of which it lacks
// one is not in the text, which is known without a search.
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

// has reports whether the text may have all of these; where nothing was filled in, it may.
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

// gramsOf are up to four groups of a literal, spread over it; none of a shorter one.
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
