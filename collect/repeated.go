package collect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// repeatSample is how much of a text is looked at for copies of itself, in bytes: what people paste, not whole logs.
const repeatSample = 64 << 10

// withoutCopies leaves of a text that was pasted several times, one copy after the other, the first.
func withoutCopies(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, repeatSample)
	text, err := b.Peek(repeatSample)
	if !errors.Is(err, io.EOF) || len(text) == 0 { // there is more, or it cannot be read
		return b
	}
	return bytes.NewReader(text[:firstCopy(text)])
}

// firstCopy is how long the part is of which a text is several copies; all of it where it is none.
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

// periodOf is the least number of lines of which several copies make up all of them.
func periodOf(lines [][]byte) int {
	border := make([]int, len(lines)+1) // the length of the longest beginning that is an end too, of each beginning
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

// isText reports whether lines that come several times are a text that was copied, not a message that a program repeats: they have
// times, of which the earlier do not come again behind the later, or are many lines, twice.
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
