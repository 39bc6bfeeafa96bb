package collect

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Bounds of the search for lines that a terminal wrapped.
const (
	wrapSample   = 32 << 10 // bytes of a text that are searched
	leastColumns = 80
	leastWraps   = 2 // lines that wrap at the same column
)

// stampedHead matches the start of log lines with a time.
var stampedHead = lazyregexp.New(`^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]|[IWEF]\d{4} \d\d:|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:|\[ *\d+\.\d+\] |time=")`)

// fieldHead matches the first field of a structured log line.
var fieldHead = lazyregexp.New(`^(?:(?:time|ts|t|level)=\S|\{"[a-z@])`)

// rowHead matches the start of a row of events in a description, in its form since 1.6 and in the one before.
var rowHead = lazyregexp.New(`^\s*(?:(?:Normal|Warning)\s+[A-Z]\w{2,60}\s+\d+[smhd]|(?:\d+[smhd]\S{0,12}\s+){2}\d+\s+\S)`)

// begins reports whether a line is the start of what a terminal may wrap: of a log line, or of an event.
func begins(line []byte) bool {
	return stampedHead.Match(line) || fieldHead.Match(line) || rowHead.Match(line)
}

// withoutWraps joins the lines that a terminal wrapped at its last column: of a log, of a table of events, or of a message. An empty
// line replaces each joined part, so that all lines keep their numbers.
func withoutWraps(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, wrapSample)
	sample, _ := b.Peek(wrapSample) // an error occurs again at the read
	columns := columnsOf(sample)
	if columns == 0 {
		return b
	}
	var open openLine
	rests := 0 // parts of the open line, including the line itself
	return newLineFilter(b, func([]byte) bool { return true }, func(line []byte) []byte {
		says, end := splitEnd(line)
		continued := rests > 0 && open.continues(says)
		if rests > 0 && !continued {
			line = append(bytes.Repeat([]byte{'\n'}, rests), line...)
			rests = 0
		}
		open.add(says, continued)
		switch {
		case open.first != nil && utf8.RuneCount(says) == columns:
			rests++
			return bytes.TrimRight(line, "\r\n")
		case continued:
			out := append(bytes.Clone(says), bytes.Repeat(end, rests+1)...)
			rests = 0
			return out
		}
		return line
	})
}

// columnsOf returns the width of the terminal that wrapped the lines of a text. No line is longer, and lines of that width continue,
// one of them in the middle of a word. It returns zero if no lines are wrapped.
func columnsOf(sample []byte) int {
	longest, breaks, inWord := 0, 0, 0 // both counts are of lines of the longest width
	var open openLine
	for line := range bytes.Lines(sample) {
		says, _ := splitEnd(line)
		if width := utf8.RuneCount(says); width > longest {
			longest, breaks, inWord = width, 0, 0
		}
		continued := utf8.RuneCount(open.last) == longest && open.continues(says)
		if continued {
			breaks++
		}
		if continued && withinWord(open.last, says) {
			inWord++
		}
		open.add(says, continued)
	}
	if longest < leastColumns || breaks < leastWraps || inWord == 0 {
		return 0
	}
	return longest
}

// openLine is a line that the next one may continue. A row of a table has no first part.
type openLine struct {
	first, last []byte // parts
	continued   bool   // it has more than one part
}

// add makes a line the next part of the open one, or a new one.
func (o *openLine) add(says []byte, continued bool) {
	o.continued = continued
	switch {
	case continued:
	case begins(says) || !gap.Match(says):
		o.first = append(o.first[:0], says...)
	default:
		o.first = nil
	}
	o.last = append(o.last[:0], says...)
}

// continues reports whether a text may continue the open line. The first break of a line without a head is within a word or a
// sentence, because lines of a list may have the same length.
func (o *openLine) continues(says []byte) bool {
	switch {
	case len(o.first) == 0, len(says) == 0, begins(says):
		return false
	case o.continued, begins(o.first):
		return true
	}
	broken := withinWord(o.last, says) && !isUpper(says[0]) || atSpace(o.last, says)
	return broken && !bytes.Equal(firstWord(o.first), firstWord(says))
}

// atSpace reports whether the break between two parts is at the only space between two words.
func atSpace(before, says []byte) bool {
	left, right := bytes.HasSuffix(before, []byte(" ")), bytes.HasPrefix(says, []byte(" "))
	wide := bytes.HasSuffix(before, []byte("  ")) || bytes.HasPrefix(says, []byte("  "))
	return left != right && !wide
}

// gap matches the space between two columns of a table.
var gap = lazyregexp.New(`\S {3,}\S`)

func firstWord(says []byte) []byte {
	word, _, _ := bytes.Cut(says, []byte(" "))
	return word
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

// withinWord reports whether the break between two parts is within a word.
func withinWord(before, says []byte) bool {
	return len(before) > 0 && len(says) > 0 && ofWord(before[len(before)-1]) && ofWord(says[0])
}

func ofWord(b byte) bool {
	digit, letter := b >= '0' && b <= '9', b|0x20 >= 'a' && b|0x20 <= 'z'
	return digit || letter || strings.IndexByte("/-_.", b) >= 0
}

// splitEnd splits a line into its text and its line ending.
func splitEnd(line []byte) (says, end []byte) {
	says = bytes.TrimRight(line, "\r\n")
	return says, line[len(says):]
}
