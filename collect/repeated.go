package collect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// repeatSample is how many bytes of a text are checked for copies: pasted text, not whole logs. Most texts fit in the small sample,
// which costs less memory.
const (
	repeatSample = 1 << 20
	smallSample  = 64 << 10
)

// withoutCopies keeps the first copy of a text that was pasted several times in sequence.
func withoutCopies(r io.Reader) io.Reader {
	for _, sample := range []int{smallSample, repeatSample} {
		b := bufio.NewReaderSize(r, sample)
		if text, err := b.Peek(sample); errors.Is(err, io.EOF) && len(text) > 0 {
			return bytes.NewReader(text[:firstCopy(text)])
		}
		r = b
	}
	return r // longer, or unreadable
}

// firstCopy returns the length of the part that the text repeats, or of the whole text.
func firstCopy(text []byte) int {
	var lines [][]byte
	for line := range bytes.Lines(text) {
		lines = append(lines, bytes.TrimRight(line, "\r\n"))
	}
	unit := periodOf(lines)
	if unit == len(lines) || !isText(lines[:unit], len(lines)/unit) {
		return len(text)
	}
	end := 0
	for line := range bytes.Lines(text) {
		if unit == 0 {
			break
		}
		end += len(line)
		unit--
	}
	return end
}

// periodOf returns the smallest number of lines whose copies form all lines.
func periodOf(lines [][]byte) int {
	border := make([]int, len(lines)+1) // for each prefix, the length of its longest proper border
	border[0] = -1
	for i, at := 0, -1; i < len(lines); {
		for at >= 0 && !bytes.Equal(lines[i], lines[at]) {
			at = border[at]
		}
		i, at = i+1, at+1
		border[i] = at
	}
	period := len(lines) - border[len(lines)]
	if len(lines)%period != 0 {
		return len(lines)
	}
	return period
}

// isText reports whether repeated lines are a copied text rather than a message that a program repeats. A text has several lines,
// and either a line with a timestamp or exactly two copies.
func isText(lines [][]byte, copies int) bool {
	if len(lines) == 1 {
		return false
	}
	for _, line := range lines {
		if stampedHead.Match(line) {
			return true
		}
	}
	return copies == 2
}
