package prefilter

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// Jumps miss nothing and find nothing else.
func TestMarks(t *testing.T) {
	texts := []string{"probe", "output=", "pro:be", "&C{be"}
	m := NewMarks(texts...)
	chance := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 200_000 {
		line := make([]byte, chance.IntN(24))
		for i := range line {
			line[i] = "probeut=:&C{ P"[chance.IntN(14)]
		}
		if chance.IntN(4) == 0 {
			at := chance.IntN(len(line) + 1)
			line = append(line[:at], append([]byte(texts[chance.IntN(len(texts))]), line[at:]...)...)
		}
		want := false
		for _, text := range texts {
			want = want || bytes.Contains(line, []byte(text))
		}
		if want {
			found++
		}
		if got := m.In(line); got != want {
			t.Fatalf("%q: got %v, want %v", line, got, want)
		}
	}
	if found < 1000 {
		t.Errorf("only %d texts have one of %s", found, strings.Join(texts, ", "))
	}
}
