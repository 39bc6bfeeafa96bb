package collect

import (
	"bytes"
	"errors"
	"strings"
)

// span finds the end of one value. start and at are positions in the window and move with it.
type span struct {
	*values
	start, at int
	big       bool
	depth     int
	// For the outermost object: whether a key comes next, the last key, and the two strings that give its kind.
	wantKey          bool
	key              part
	kind, apiVersion part
}

// part is a string literal inside the span, without its quotes, relative to start.
type part struct{ from, to int }

// text returns the value of the literal. Invalid UTF-8 is replaced, as a decoder does.
func (s *span) text(p part) string {
	if p.to == 0 || s.big {
		return ""
	}
	return strings.Map(func(r rune) rune { return r }, string(s.buf[s.start+p.from:s.start+p.to]))
}

// more reads on. A value that has become too large is dropped while its end is searched.
func (s *span) more() error {
	keep := s.start
	if s.at-s.start > maxValue {
		s.big = true
	}
	if s.big {
		s.lines += bytes.Count(s.buf[s.start:s.at], []byte{'\n'})
		keep, s.start = s.at, s.at
	}
	moved, err := s.fill(keep)
	s.at -= moved
	s.start -= moved
	s.lo = s.start
	return cutOff(err)
}

// structure marks the bytes with a meaning outside of strings.
var structure = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true, ',': true}

// container finds the end of an object or list.
func (s *span) container() error {
	for {
		for s.at < len(s.buf) {
			c := s.buf[s.at]
			if !structure[c] {
				s.at++
				continue
			}
			switch c {
			case '"':
				from := s.at - s.start // the window may move inside the string
				if err := s.string(); err != nil {
					return err
				}
				if s.depth == 1 {
					s.note(part{from + 1, s.at - 1 - s.start})
				}
				continue
			case '{', '[':
				s.depth++
				s.wantKey = s.depth == 1 && c == '{'
				if s.depth > maxDepth {
					return errTooDeep
				}
			case ',':
				s.wantKey = s.depth == 1 && s.buf[s.start] == '{'
			case '}', ']':
				if s.depth--; s.depth == 0 {
					s.at++
					return nil
				}
			}
			s.at++
		}
		if err := s.more(); err != nil {
			return err
		}
	}
}

// note handles a string of the outermost object: a key, or the value of kind or apiVersion.
func (s *span) note(p part) {
	if s.wantKey {
		s.key, s.wantKey = p, false
		return
	}
	switch s.text(s.key) {
	case "kind":
		s.kind = p
	case "apiVersion":
		s.apiVersion = p
	}
	s.key = part{}
}

// string finds the end of the string literal that starts at at.
func (s *span) string() error {
	s.at++
	for {
		i := bytes.IndexByte(s.buf[s.at:], '"')
		if i >= 0 {
			end := s.at + i
			s.at = end + 1
			if !escaped(s.buf[s.start:end]) {
				return nil
			}
			continue
		}
		// An odd backslash at the end of the window must stay in it.
		s.at = len(s.buf) - trailing(s.buf[s.at:])%2
		if err := s.more(); err != nil {
			return err
		}
	}
}

// escaped reports whether a trailing backslash escapes the next byte.
func escaped(text []byte) bool { return trailing(text)%2 == 1 }

// trailing counts the backslashes at the end.
func trailing(text []byte) int {
	n := 0
	for n < len(text) && text[len(text)-1-n] == '\\' {
		n++
	}
	return n
}

// scalar finds the end of a number or a literal.
func (s *span) scalar() error {
	for {
		for s.at < len(s.buf) {
			switch s.buf[s.at] {
			case ',', ']', '}', ' ', '\t', '\r', '\n':
				if s.at == s.start {
					return errSyntax
				}
				return nil
			}
			s.at++
		}
		if err := s.more(); err != nil {
			if errors.Is(err, errCutOff) && s.at > s.start {
				return nil // the last value of the stream
			}
			return err
		}
	}
}
