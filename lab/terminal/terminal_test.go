//go:build linux

package terminal

import (
	"os/exec"
	"slices"
	"testing"
)

// The screen has the rows that a terminal of that size shows: long lines are broken, the first rows have scrolled away,
// and a progress line is replaced.
func TestShow(t *testing.T) {
	for _, c := range []struct {
		name, script string
		rows         []string
		code         int
	}{
		{"short", `printf 'one\ntwo\n'; exit 3`, []string{"$ x", "one", "two", "$"}, 3},
		{"scrolled", `printf '1\n2\n3\n4\n'`, []string{"2", "3", "4", "$"}, 0},
		{"broken", `printf '1234567890\n12345678901\n'`, []string{"1234567890", "1234567890", "1", "$"}, 0},
		{"colored", `printf '\033[1;31mred\033[0m\n'`, []string{"$ x", "red", "$"}, 0},
		{"replaced", `printf 'reading 10\rread\033[K\n'`, []string{"$ x", "read", "$"}, 0},
		{"sized", `stty size </dev/tty`, []string{"$ x", "4 10", "$"}, 0},
		{"characters", `printf '\303\244'; sleep 0.01; printf '\303'; sleep 0.01; printf '\244\n'`, []string{"$ x", "ää", "$"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, code, err := Show(Size{4, 10}, "x", exec.Command("sh", "-c", c.script))
			if err != nil || code != c.code || !slices.Equal(rows, c.rows) {
				t.Errorf("got %q, exit code %d, %v; want %q, exit code %d", rows, code, err, c.rows, c.code)
			}
		})
	}
	if rows, _, err := Show(Size{4, 10}, "x", exec.Command("printf", `\033[2Jgone\n`)); err == nil {
		t.Errorf("an unknown code: %q", rows)
	}
}
