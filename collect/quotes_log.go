package collect

import (
	"bytes"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// byApplication stands in a log line of a component for what an application wrote.
const byApplication = "[written by the application]"

// quoteMarks are what a line has that repeats the output or the spec of a container: a quick look before the frames.
var quoteMarks = [][]byte{[]byte("output="), []byte("message=<"), []byte("probe failed"), []byte("probe warning"), []byte("lifecycle hook ("), []byte("&Container{"), []byte("' exited with "), []byte("denied the request"), []byte("segfault at")}

// inLogs are the channels whose words are masked in logs.
var inLogs = map[evidence.Channel]bool{evidence.ProbeOutput: true, evidence.HookOutput: true, evidence.WebhookAnswer: true, evidence.PodSpec: true}

// withoutQuotes reads a log without what applications wrote into the lines of components. All lines keep their numbers.
func withoutQuotes(r io.Reader) io.Reader { return &quoteless{r: r, chunk: make([]byte, sniffSize)} }

type quoteless struct {
	r     io.Reader
	chunk []byte
	rest  []byte // of a line that has not ended yet
	out   []byte
	err   error
	open  bool // within a value of several lines
}

// maxMaskedLine bounds what of a line is held back to be looked at, in bytes.
const maxMaskedLine = 64 << 10

func (q *quoteless) Read(p []byte) (int, error) {
	for len(q.out) == 0 {
		if q.err != nil {
			return 0, q.err
		}
		var n int
		n, q.err = q.r.Read(q.chunk)
		q.take(q.chunk[:n])
	}
	n := copy(p, q.out)
	q.out = q.out[n:]
	return n, nil
}

// take looks at the lines that are whole, at the end at all there is.
func (q *quoteless) take(piece []byte) {
	text := append(q.rest, piece...)
	end := len(text)
	if q.err == nil && len(text) < maxMaskedLine {
		end = bytes.LastIndexByte(text, '\n') + 1
	}
	whole := text[:end]
	if q.open || hasMark(whole) {
		whole = q.masked(whole)
	}
	q.out = append(q.out[:0:0], whole...)
	q.rest = append(q.rest[:0:0], text[end:]...)
}

func hasMark(text []byte) bool {
	for _, m := range quoteMarks {
		if bytes.Contains(text, m) {
			return true
		}
	}
	return false
}

func (q *quoteless) masked(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		switch {
		case q.open && !endsValue(line):
			out = append(append(out, byApplication...), line[len(bytes.TrimRight(line, "\r\n")):]...)
		case hasMark(line):
			q.open = beginsValue(line)
			out = append(out, maskedLine(string(line))...)
		default:
			q.open = false
			out = append(out, line...)
		}
	}
	return out
}

func maskedLine(line string) string {
	return unquoted(line, quotesIn(strings.TrimRight(line, "\r\n"), nil), byApplication, func(q quote) bool { return inLogs[q.channel] })
}

// beginsValue and endsValue are where a value of several lines begins and ends (k8s.io/klog internal/serialize v2.130): its own lines
// begin with a tab.
func beginsValue(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	return bytes.HasSuffix(line, []byte("output=<")) || bytes.HasSuffix(line, []byte("message=<"))
}

func endsValue(line []byte) bool {
	if at := bytes.Index(line, []byte("]: ")); at >= 0 && bytes.IndexByte(line[:at], '\t') < 0 { // behind the head of a journal
		line = line[at+3:]
	}
	return bytes.HasPrefix(line, []byte(" >"))
}
