package collect

import (
	"bytes"
	"io"
	"slices"
)

// lineFilter reads a text whose lines it may change; all lines keep their numbers.
type lineFilter struct {
	r    io.Reader
	look func(text []byte) bool   // whether whole lines have to be looked at one by one
	line func(line []byte) []byte // what becomes of a line

	text    []byte // what was read
	used    int    // how much of it was looked at
	changed []byte // the lines of a text that was looked at one by one
	out     []byte // what is ready, of one of them
	err     error
}

func newLineFilter(r io.Reader, look func([]byte) bool, line func([]byte) []byte) *lineFilter {
	return &lineFilter{r: r, look: look, line: line}
}

// maxHeldLine bounds what of a line is held back to be looked at, in bytes; so much is read at a time.
const maxHeldLine = 64 << 10

func (f *lineFilter) Read(p []byte) (int, error) {
	for len(f.out) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		f.fill()
	}
	n := copy(p, f.out)
	f.out = f.out[n:]
	return n, nil
}

// fill reads on, and looks at the lines that are whole, at the end at all there is.
func (f *lineFilter) fill() {
	f.text = append(f.text[:0], f.text[f.used:]...)
	held := len(f.text)
	f.text = slices.Grow(f.text, maxHeldLine)[:held+maxHeldLine]
	n, err := f.r.Read(f.text[held:])
	f.text, f.err = f.text[:held+n], err
	f.used = bytes.LastIndexByte(f.text, '\n') + 1
	if f.err != nil || f.used == 0 && len(f.text) >= maxHeldLine {
		f.used = len(f.text)
	}
	f.out = f.text[:f.used]
	if !f.look(f.out) {
		return
	}
	f.changed = f.changed[:0]
	for line := range bytes.Lines(f.out) {
		f.changed = append(f.changed, f.line(line)...)
	}
	f.out = f.changed
}

// lineEnd is how a line ends.
func lineEnd(line []byte) []byte { return line[len(bytes.TrimRight(line, "\r\n")):] }
