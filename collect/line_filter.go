package collect

import (
	"bytes"
	"io"
	"slices"
)

// lineFilter is a reader that may change lines of a text; all lines keep their numbers.
type lineFilter struct {
	r    io.Reader
	look func(text []byte) bool   // reports whether the lines must be checked one by one
	line func(line []byte) []byte // returns the replacement of a line

	text    []byte // bytes that were read
	used    int    // how many bytes of text are done
	changed []byte // the replaced lines
	out     []byte // bytes that are ready for Read
	err     error
}

func newLineFilter(r io.Reader, look func([]byte) bool, line func([]byte) []byte) *lineFilter {
	return &lineFilter{r: r, look: look, line: line}
}

// maxHeldLine bounds the bytes of a line that are held back for a check. It is also the size of a read.
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

// fill reads more and checks the complete lines; at the end, all of the rest.
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

// lineEnd returns the line ending.
func lineEnd(line []byte) []byte { return line[len(bytes.TrimRight(line, "\r\n")):] }
