package collect

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestWithoutCopies(t *testing.T) {
	long := ""
	for i := range 10_000 {
		long += fmt.Sprintf("message %d\n", i)
	}
	for _, c := range []struct{ name, text, want string }{
		{"a text twice", "a\nb\nc\na\nb\nc\n", "a\nb\nc\n"},
		{"without the last end of a line", "a\nb\na\nb", "a\nb\n"},
		{"records of a log, three times", strings.Repeat("2026-03-01 10:00:00 x\n2026-03-01 10:00:01 y\n", 3), "2026-03-01 10:00:00 x\n2026-03-01 10:00:01 y\n"},
		{"a record that came again within a second", "2026-03-01 10:00:00 x\n2026-03-01 10:00:00 x\n", "2026-03-01 10:00:00 x\n2026-03-01 10:00:00 x\n"},
		{"a message that is repeated", "no route to host\nno route to host\n", "no route to host\nno route to host\n"},
		{"two messages in turn", "a\nb\na\nb\na\nb\n", "a\nb\na\nb\na\nb\n"},
		{"a copy that is not whole", "a\nb\nc\na\nb\n", "a\nb\nc\na\nb\n"},
		{"one line", "a\n", "a\n"},
		{"nothing", "", ""},
		{"a long text twice", strings.Repeat(long, 2), long},
		{"more than is looked at", strings.Repeat("a\nb\n", repeatSample/4), strings.Repeat("a\nb\n", repeatSample/4)},
	} {
		got, err := io.ReadAll(withoutCopies(strings.NewReader(c.text)))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.name, got[:min(len(got), 100)], err)
		}
	}
}

// An error of the reader is returned after the copy.
func TestWithoutCopiesTellsErrors(t *testing.T) {
	broken := errors.New("broken")
	_, err := io.ReadAll(withoutCopies(io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(broken))))
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
