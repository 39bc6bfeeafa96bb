package report

import "testing"

// The narrowest screen has 40 columns. A terminal that is narrower breaks the lines; 80 would break every one.
func TestWidth(t *testing.T) {
	for width, want := range map[int][2]int{0: {80, 80}, -3: {80, 80}, 1: {40, 40}, 39: {40, 40}, 40: {40, 40}, 100: {100, 100}, 500: {160, 500}} {
		s := Style{Width: width}
		if got := [2]int{s.width(), s.columns()}; got != want {
			t.Errorf("width %d: %v, want %v", width, got, want)
		}
	}
}
