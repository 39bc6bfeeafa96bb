package collect

import (
	"bytes"
	"io"
)

// lineFilter reads a text whose lines it may change; all lines keep their numbers.
type lineFilter struct {
	r    io.Reader
	look func(text []byte) bool   // whether whole lines have to be looked at one by one
	line func(line []byte) []byte // what becomes of a line

	chunk, rest, out []byte
	err              error
}

func newLineFilter(r io.Reader, look func([]byte) bool, line func([]byte) []byte) *lineFilter {
	return &lineFilter{r: r, look: look, line: line, chunk: make([]byte, sniffSize)}
}

// maxHeldLine bounds what of a line is held back to be looked at, in bytes.
const maxHeldLine = 64 << 10

func (f *lineFilter) Read(p []byte) (int, error) {
	for len(f.out) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		var n int
		n, f.err = f.r.Read(f.chunk)
		f.take(f.chunk[:n])
	}
	n := copy(p, f.out)
	f.out = f.out[n:]
	return n, nil
}

// take looks at the lines that are whole, at the end at all there is.
func (f *lineFilter) take(piece []byte) {
	text := append(f.rest, piece...)
	end := bytes.LastIndexByte(text, '\n') + 1
	if f.err != nil || end == 0 && len(text) >= maxHeldLine {
		end = len(text)
	}
	f.out = f.out[:0:0]
	if whole := text[:end]; f.look(whole) {
		for line := range bytes.Lines(whole) {
			f.out = append(f.out, f.line(line)...)
		}
	} else {
		f.out = append(f.out, whole...)
	}
	f.rest = append(f.rest[:0:0], text[end:]...)
}

// lineEnd is how a line ends.
func lineEnd(line []byte) []byte { return line[len(bytes.TrimRight(line, "\r\n")):] }
