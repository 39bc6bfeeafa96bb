package collect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// values splits a JSON stream into values without decoding them, so that each is decoded only once. It holds one value in memory.
// It checks only what it needs to find the end of a value.
type values struct {
	r      io.Reader
	buf    []byte
	lo     int // next byte
	err    error
	lines  int  // line breaks before lo
	passed int  // bytes before buf
	gone   bool // some consumed bytes are no longer in buf
}

// value is one JSON value. The bytes are valid until the next call.
type value struct {
	raw []byte
	// kind and apiVersion of an object, if they are plain strings.
	kind, apiVersion string
	// line is the number of its first line, from 1.
	line int
	// big: it is larger than maxValue and left out.
	big bool
}

var (
	errTooDeep = fmt.Errorf("it is nested deeper than %d levels", maxDepth)
	errSyntax  = errors.New("invalid JSON")
	errCutOff  = errors.New("it ends in the middle of a value")
)

const windowSize = 256 << 10

// valuesOf splits a document in memory.
func valuesOf(doc []byte) *values { return &values{buf: doc, err: io.EOF} }

func newValues(r io.Reader) *values { return &values{r: r, buf: make([]byte, 0, windowSize)} }

// fill reads more and keeps the bytes from keep on. It returns how far they moved down.
func (v *values) fill(keep int) (moved int, err error) {
	if v.err != nil {
		return 0, v.err
	}
	if keep > 0 {
		v.gone = true
		v.passed += keep
		v.buf = v.buf[:copy(v.buf, v.buf[keep:])]
	}
	if len(v.buf) == cap(v.buf) {
		v.buf = append(v.buf, make([]byte, cap(v.buf))...)[:len(v.buf)]
	}
	for tries := 0; ; tries++ {
		n, err := v.r.Read(v.buf[len(v.buf):cap(v.buf)])
		v.buf = v.buf[:len(v.buf)+n]
		v.err = err
		if n > 0 {
			return keep, nil
		}
		if err != nil {
			return keep, err
		}
		if tries > 100 {
			v.err = io.ErrNoProgress
		}
	}
}

// bytes returns how many bytes of the stream were consumed.
func (v *values) bytes() int { return v.passed + v.lo }

// take moves lo forward to i.
func (v *values) take(i int) {
	v.lines += bytes.Count(v.buf[v.lo:i], []byte{'\n'})
	v.lo = i
}

// peek returns the next byte that is no white space, without consuming it.
func (v *values) peek() (byte, error) {
	for {
		for i := v.lo; i < len(v.buf); i++ {
			switch v.buf[i] {
			case ' ', '\t', '\r', '\n':
			default:
				v.take(i)
				return v.buf[i], nil
			}
		}
		v.take(len(v.buf))
		moved, err := v.fill(v.lo)
		v.lo -= moved
		if err != nil {
			return 0, err
		}
	}
}

// expect consumes the next byte, which must be want.
func (v *values) expect(want byte) error {
	c, err := v.peek()
	if err != nil {
		return cutOff(err)
	}
	if c != want {
		return errSyntax
	}
	v.take(v.lo + 1)
	return nil
}

// again returns the whole stream from its start, or the rest if the start is gone.
func (v *values) again() io.Reader {
	if v.gone {
		return io.MultiReader(bytes.NewReader(v.buf[v.lo:]), v.r)
	}
	return io.MultiReader(bytes.NewReader(v.buf), v.r)
}

// cutOff returns the error for a stream that ends inside a value.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return errCutOff
	}
	return err
}

// next consumes the next value.
func (v *values) next() (value, error) {
	c, err := v.peek()
	if err != nil {
		return value{}, cutOff(err)
	}
	s := span{values: v, start: v.lo, at: v.lo}
	out := value{line: v.lines + 1}
	switch c {
	case '{', '[':
		err = s.container()
	case '"':
		err = s.string()
	default:
		err = s.scalar()
	}
	if err != nil {
		return out, err
	}
	out.raw, out.big = v.buf[s.start:s.at], s.big
	out.kind, out.apiVersion = s.text(s.kind), s.text(s.apiVersion)
	v.take(s.at)
	return out, nil
}

// line consumes the rest of the line, without its end; a very long one in pieces.
func (v *values) line() ([]byte, error) {
	for {
		if i := bytes.IndexByte(v.buf[v.lo:], '\n'); i >= 0 {
			out := v.buf[v.lo : v.lo+i]
			v.take(v.lo + i + 1)
			return out, nil
		}
		if len(v.buf)-v.lo >= windowSize/2 {
			out := v.buf[v.lo:]
			v.take(len(v.buf))
			return out, nil
		}
		moved, err := v.fill(v.lo)
		v.lo -= moved
		if err != nil {
			out := v.buf[v.lo:]
			v.take(len(v.buf))
			return out, err
		}
	}
}

// startsObject reports whether the next line is a single brace.
func (v *values) startsObject() bool {
	for len(v.buf)-v.lo < 3 {
		moved, err := v.fill(v.lo)
		v.lo -= moved
		if err != nil {
			return false
		}
	}
	next := v.buf[v.lo:]
	return next[0] == '{' && (next[1] == '\n' || next[1] == '\r' && next[2] == '\n')
}
