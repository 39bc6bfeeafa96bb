package paste

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// line is one line of a text without its line ending, terminal escapes and control characters.
type line struct {
	no   int // from 1
	text string
}

const chunkSize = 256 << 10 // bytes read at once

// chunks are pooled: an archive may hold many small texts.
var chunks = sync.Pool{New: func() any { return new([chunkSize]byte) }}

// read passes the text to the page line by line. Of a line longer than maxLine, only the start is kept.
func (p *page) read(r io.Reader) error {
	chunk := chunks.Get().(*[chunkSize]byte)
	defer chunks.Put(chunk)
	buf := chunk[:0]
	inLong := false // the start of this line was already passed on
	for empty := 0; ; {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		rest := buf
		for {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				break
			}
			if !inLong {
				p.raw(rest[:min(i, maxLine)], i > maxLine)
			}
			inLong = false
			rest = rest[i+1:]
		}
		if len(rest) > maxLine {
			if !inLong {
				p.raw(rest[:maxLine], true)
			}
			inLong, rest = true, nil
		}
		buf = buf[:copy(buf[:cap(buf)], rest)]
		switch {
		case err == io.EOF:
			if len(buf) > 0 && !inLong {
				p.raw(buf, false)
			}
			p.end()
			return nil
		case err != nil:
			p.end()
			return err
		case n > 0:
			empty = 0
		default:
			if empty++; empty > 100 {
				p.end()
				return io.ErrNoProgress
			}
		}
	}
}

// decoded converts UTF-16 with a byte order mark to UTF-8.
func decoded(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, 16)
	start, _ := in.Peek(2)
	if len(start) < 2 || start[0]|start[1] != 0xff || start[0]&start[1] != 0xfe {
		return in
	}
	return transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
}
