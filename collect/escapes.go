package collect

import (
	"bytes"
	"io"
)

// withoutEscapes removes the escape sequences for colors and cursor moves, so that a line is what a terminal shows.
func withoutEscapes(r io.Reader) io.Reader { return &unescaped{r: r} }

// unescaped is a reader that drops ECMA-48 sequences: control sequences, strings and single functions. No sequence is longer than
// its line.
type unescaped struct {
	r     io.Reader
	state escape
}

type escape byte

const (
	plainText  escape = iota
	behind            // after a sequence: a carriage return here also moves the cursor
	begun             // after the escape character
	control           // in a control sequence
	stringed          // in a string, such as a window title
	stringEnds        // after the escape character that may end the string
	charset           // before the last byte of a sequence of three
)

const esc = 0x1b

func (u *unescaped) Read(p []byte) (int, error) {
	for {
		n, err := u.r.Read(p)
		if u.state == plainText && bytes.IndexByte(p[:n], esc) < 0 {
			return n, err
		}
		out := 0
		for _, c := range p[:n] {
			if u.shows(c) {
				p[out] = c
				out++
			}
		}
		if out > 0 || err != nil || n == 0 {
			return out, err
		}
	}
}

// shows reports whether a byte is part of the text.
func (u *unescaped) shows(c byte) bool {
	if c == '\n' {
		u.state = plainText
		return true
	}
	switch u.state {
	case plainText, behind:
		if c == esc {
			u.state = begun
			return false
		}
		moves := u.state == behind && c == '\r'
		if !moves {
			u.state = plainText
		}
		return !moves
	case begun:
		u.state = afterEscape(c)
	case control:
		if c >= 0x40 && c <= 0x7e {
			u.state = behind
		}
	case stringed:
		switch c {
		case 0x07:
			u.state = behind
		case esc:
			u.state = stringEnds
		}
	case stringEnds, charset:
		u.state = behind
	}
	return false
}

// afterEscape returns the state after the escape character and the byte that shows the kind of a sequence.
func afterEscape(c byte) escape {
	switch c {
	case '[':
		return control
	case ']', 'P', 'X', '^', '_':
		return stringed
	case '(', ')', '*', '+', '#', '%':
		return charset
	}
	return behind
}
