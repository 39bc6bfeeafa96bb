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

// eventHead matches the start of a row of events in a description, in its form since 1.6 and in the one before.
var eventHead = lazyregexp.New(`^\s+(?:(?:Normal|Warning)\s+[A-Z]\w{2,60}\s+\d+[smhd]|(?:\d+[smhd]\S{0,12}\s+){2}\d+\s+\S)`)

// wraps reports whether a line is the start of what a terminal may wrap: of a log line, or of an event.
func wraps(line []byte) bool { return stampedHead.Match(line) || eventHead.Match(line) }

// withoutWraps joins the lines of a log or of a table of events that a terminal wrapped at its last column. An empty line replaces each joined part, so
// that all lines keep their numbers.
func withoutWraps(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, wrapSample)
	sample, _ := b.Peek(wrapSample) // an error occurs again at the read
	columns := columnsOf(sample)
	if columns == 0 {
		return b
	}
	rests := 0        // parts of the open line, including the line itself
	var before []byte // its last part
	return newLineFilter(b, func([]byte) bool { return true }, func(line []byte) []byte {
		says, end := splitEnd(line)
		open := rests > 0
		if open && !continues(before, says) {
			line = append(bytes.Repeat([]byte{'\n'}, rests), line...)
			open, rests = false, 0
		}
		full := utf8.RuneCount(says) == columns
		switch {
		case full && (open || wraps(says)):
			rests++
			before = append(before[:0], says...)
			return bytes.TrimRight(line, "\r\n")
		case open:
			out := append(bytes.Clone(says), bytes.Repeat(end, rests+1)...)
			rests = 0
			return out
		}
		return line
	})
}

// columnsOf returns the width of the terminal that wrapped the lines of a log. No line is longer, and lines of that width continue
// in the middle of a word. It returns zero if no lines are wrapped.
func columnsOf(sample []byte) int {
	broken, longest := map[int]int{}, 0
	before := []byte(nil)
	for line := range bytes.Lines(sample) {
		says, _ := splitEnd(line)
		if longest = max(longest, utf8.RuneCount(says)); wraps(before) && continues(before, says) {
			broken[utf8.RuneCount(before)]++
		}
		before = says
	}
	if longest < leastColumns || broken[longest] < leastWraps {
		return 0
	}
	return longest
}

// continues reports whether a line may continue the previous one: the break is within a word.
func continues(before, says []byte) bool {
	if len(before) == 0 || len(says) == 0 || stampedHead.Match(says) {
		return false
	}
	return ofWord(before[len(before)-1]) && ofWord(says[0])
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
