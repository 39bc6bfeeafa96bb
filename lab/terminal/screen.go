//go:build linux

package terminal

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// screen is what a terminal shows. It knows the control codes of the program: a new line, the start of the line, erase the
// rest of the line, and colors, which it drops.
type screen struct {
	size    Size
	rows    [][]rune
	column  int
	pending string // the start of a code or character whose end has not been written yet
	unknown string // the first code that it does not know
}

func newScreen(size Size) *screen { return &screen{size: size, rows: [][]rune{nil}} }

func (s *screen) write(text string) {
	text = s.pending + text
	for s.pending = ""; text != ""; {
		n := s.next(text)
		if n == 0 {
			s.pending = text
			return
		}
		text = text[n:]
	}
}

// next writes the first character or code of the text, and returns its length; 0: its end is missing.
func (s *screen) next(text string) int {
	switch text[0] {
	case '\n':
		s.rows = append(s.rows, nil)
		return 1
	case '\r':
		s.column = 0
		return 1
	case '\x1b':
		return s.escape(text)
	}
	if !utf8.FullRuneInString(text) {
		return 0
	}
	r, n := utf8.DecodeRuneInString(text)
	s.put(r)
	return n
}

// escape applies a code: ESC [, parameters, and a letter.
func (s *screen) escape(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' })
	if end < 0 {
		return 0
	}
	switch code := text[:end+1]; {
	case strings.HasPrefix(code, "\x1b[") && code[end] == 'm':
	case code == "\x1b[K":
		row := &s.rows[len(s.rows)-1]
		*row = (*row)[:min(len(*row), s.column)]
	case s.unknown == "":
		s.unknown = code
	}
	return end + 1
}

// put writes a character at the cursor. After the last column it goes to the next row.
func (s *screen) put(r rune) {
	if s.column == s.size.Columns {
		s.rows, s.column = append(s.rows, nil), 0
	}
	row := &s.rows[len(s.rows)-1]
	for len(*row) <= s.column {
		*row = append(*row, ' ')
	}
	(*row)[s.column] = r
	s.column++
}

// visible returns the last rows, as many as the terminal has.
func (s *screen) visible() ([]string, error) {
	if s.unknown != "" {
		return nil, fmt.Errorf("the screen does not know the code %q", s.unknown)
	}
	var out []string
	for _, row := range s.rows[max(0, len(s.rows)-s.size.Rows):] {
		out = append(out, strings.TrimRight(string(row), " "))
	}
	return out, nil
}
