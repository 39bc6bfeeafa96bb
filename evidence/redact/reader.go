package redact

import (
	"bytes"
	"errors"
	"io"
)

// maxLine bounds a line that is processed as a whole. Longer lines are processed in pieces.
const maxLine = 256 << 10

// Bounds for clues in a text: a fixed number, plus one per number of bytes. Checking a clue takes microseconds, and a
// malicious text has millions.
const (
	freePlaces    = 500_000
	bytesPerPlace = 150
	looksPerPlace = 8 // checks of clues per line
)

// ErrCrowded ends a text with too many clues.
var ErrCrowded = errors.New("too many of its lines may hold secrets")

// Reader returns a redacted text. The number of lines stays the same.
func (r *Redactor) Reader(from io.Reader) io.Reader {
	return &reader{lines: r.Lines(), from: from, in: make([]byte, 0, 2*readPiece)}
}

const readPiece = 64 << 10

type reader struct {
	lines *Lines
	from  io.Reader
	in    []byte // read but not processed
	out   []byte // processed
	done  int    // returned part of out
	err   error

	taken  int // bytes
	places int
}

func (r *reader) Read(p []byte) (int, error) {
	for r.done == len(r.out) {
		if r.err != nil && len(r.in) == 0 {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(p, r.out[r.done:])
	r.done += n
	return n, nil
}

// fill processes the next lines.
func (r *reader) fill() {
	r.out, r.done = r.out[:0], 0
	if r.err == nil {
		at := len(r.in)
		if cap(r.in)-at < readPiece {
			r.in = append(make([]byte, 0, max(2*cap(r.in), 2*readPiece)), r.in...)
		}
		n, err := r.from.Read(r.in[at : at+readPiece])
		r.in, r.err = r.in[:at+n], err
	}
	end := bytes.LastIndexByte(r.in, '\n') + 1
	if end == 0 && (r.err != nil || len(r.in) >= maxLine) || r.err != nil {
		end = len(r.in)
	}
	if r.take(r.in[:end]); r.in == nil {
		return
	}
	r.in = append(r.in[:0], r.in[end:]...)
}

// take redacts complete lines.
func (r *reader) take(text []byte) {
	for len(text) > 0 {
		if r.places > freePlaces+r.taken/bytesPerPlace {
			r.in, r.err = nil, ErrCrowded
			return
		}
		end := bytes.IndexByte(text, '\n')
		line := text
		if end >= 0 {
			line = text[:end+1]
		}
		text = text[len(line):]
		r.taken += len(line)
		body := bytes.TrimRight(line, "\r\n")
		clue, runs := suspiciousBytes(body)
		if !clue && !r.lines.waits() && !r.lines.redactor.emails {
			r.out = append(r.out, line...)
			continue
		}
		r.lines.runless = !runs
		r.lines.looks = 0
		r.out = append(r.out, r.lines.Line(string(body))...)
		r.places += 1 + r.lines.looks/looksPerPlace
		r.out = append(r.out, line[len(body):]...)
	}
}
