package facts

import "testing"

func TestFillSummary(t *testing.T) {
	for _, c := range []struct {
		text     string
		captures map[string]string
		want     string
	}{
		{"{a} of {b}", map[string]string{"a": "x", "b": "y"}, "x of y"},
		{"{a} of {b}", map[string]string{"a": "{b}", "b": "{a}"}, "{b} of {a}"}, // log words may look like placeholders
		{"{a} of {b}", map[string]string{"a": "{c}", "b": "y"}, "{c} of y"},
		{"{a} of {b}", map[string]string{"a": "x"}, ""},
	} {
		for range 20 { // captures have no order
			if got := FillSummary(c.text, c.captures); got != c.want {
				t.Fatalf("FillSummary(%q, %v) = %q, want %q", c.text, c.captures, got, c.want)
			}
		}
	}
}
