package collect

import (
	"io"
	"strings"
	"testing"
)

func TestWithoutBoxes(t *testing.T) {
	long := strings.Repeat("x", leastBox)
	for _, c := range []struct{ name, text, want string }{
		{"a line that a box broke", "│ " + long + " │\n│  failed to │\n│ pull     │\n", long + " failed to\n\npull\n"},
		{"twice", "│ " + long + " │\n│ " + long + " │\n│ y │\nz\n", long + long + "y\n\n\nz\n"},
		{"whose rest has no borders", "│ " + long + " │\ny\n", long + "\ny\n"},
		{"at the end", "│ " + long + " │\n", long},
		{"two records", "│ " + long + " │\n│ E0501 10:00:00.0 y │\n", long + "\nE0501 10:00:00.0 y\n"},
		{"Terraform", "│ Error: creating the cluster\n│ \n│   with a.b,\n", "Error: creating the cluster\n\n  with a.b,\n"},
		{"a tree", "  │ ├─1 init\n  └─2 x\n", "  │ ├─1 init\n  └─2 x\n"},
		{"a table", "│ a │ b │\n│ c │ d │\n", "│ a │ b │\n│ c │ d │\n"},
		{"no box", "a\nb", "a\nb"},
	} {
		got, err := io.ReadAll(withoutBoxes(strings.NewReader(c.text)))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got, err)
		}
	}
}
