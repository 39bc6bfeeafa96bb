package collect

import (
	"bufio"
	"bytes"
	"io"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// maxContinued is the maximum number of lines that one message continues on.
const maxContinued = 6

var (
	// continuedField matches an indented field of a log line (logfmt, klog) on a separate line.
	continuedField = lazyregexp.New(`^[ \t]+(?:time|level|msg|error|err)="?[^<]`)
	// openList matches a statement that ends with a comma, and restOfList the next words of it.
	openList   = lazyregexp.New(`^\s*\S.*: .*[^",],\s*$`)
	restOfList = lazyregexp.New(`^\s*(?:that|and|or|\d+ node\(s\)) [^:={}"]*$`)
	// codeField matches a line with only the code of an error, and messageField the message below it.
	codeField    = lazyregexp.New(`^[\s│|]*"[Cc]ode": "\w+",\s*$`)
	messageField = lazyregexp.New(`^[\s│|]*"[Mm]essage": "`)
	// klogHead matches the start of a line of klog with a file, with or without its time, and restOfMessage an indented line that is no
	// field, list, log line or place in a stack.
	klogHead      = lazyregexp.New(`^[IWEF](?:\d{4} [\d:.]{8,15} +\d+)? \S{1,60}\.go:\d+\] \S`)
	restOfMessage = lazyregexp.New(`^(?:\t| {2,})[\w/"'(\[][^={}]*$`)
	// openAddress matches a line that ends in an address.
	openAddress = lazyregexp.New(`^.*\bhttps?://[^\s"]{20,}$`)
	// restOfAddress matches the end of an address, and what Go's net/http reports about it.
	restOfAddress = lazyregexp.New(`^[\w./?=&%-]{1,200}"?: (?:(?:dial|read|write|proxyconnect) (?:tcp|udp|unix)\b|lookup \S+ on |(?:net/http|x509|tls|remote error): |context (?:deadline|canceled)|(?:unexpected )?EOF$)`)
)

// withContinuations joins messages that continue on the next lines at the start of a text: with indented fields, inside a quoted
// field, inside an address, after a comma, or with the message of a code. An empty line replaces each joined line, so that all lines keep their numbers.
func withContinuations(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, wrapSample)
	sample, err := b.Peek(wrapSample)
	if err == nil {
		sample = sample[:bytes.LastIndexByte(sample, '\n')+1]
	}
	joined := joinContinuations(sample)
	if joined == nil {
		return b
	}
	_, _ = b.Discard(len(sample)) // it was peeked
	return io.MultiReader(bytes.NewReader(joined), b)
}

// joinContinuations returns nil if no message continues on the next line.
func joinContinuations(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	var out []byte
	found := false
	for i := 0; i < len(lines); i++ {
		says, end := splitEnd(lines[i])
		n := continuations(says, lines[i+1:])
		if n == 0 {
			out = append(out, lines[i]...)
			continue
		}
		found = true
		out = append(out, says...)
		for _, next := range lines[i+1 : i+1+n] {
			rest, _ := splitEnd(next)
			if trimmed := bytes.TrimLeft(rest, " \t│|"); len(trimmed) < len(rest) || bytes.HasSuffix(out, []byte(",")) {
				out = append(append(out, ' '), trimmed...)
			} else {
				out = append(out, rest...)
			}
		}
		out = append(out, bytes.Repeat(end, n+1)...)
		i += n
	}
	if !found {
		return nil
	}
	return out
}

// continuations returns how many of the next lines a line continues on.
func continuations(line []byte, next [][]byte) int {
	if len(next) == 0 || len(line) == 0 {
		return 0
	}
	first, _ := splitEnd(next[0])
	inAddress := len(line) >= leastColumns && openAddress.Match(line) && restOfAddress.Match(first)
	inList := openList.Match(line) && restOfList.Match(first)
	inError := codeField.Match(line) && messageField.Match(first)
	switch {
	case inAddress, inList, inError:
		return 1
	case stampedHead.Match(line), klogHead.Match(line):
		next = next[:min(len(next), maxContinued)]
		return max(fieldsBelow(line, next), wordsBelow(line, next))
	}
	return 0
}

// leastMessage is the least length of a line that a person wraps.
const leastMessage = 40

// wordsBelow returns how many of the next lines have the rest of a message of klog, which a person wrapped and indented.
func wordsBelow(line []byte, next [][]byte) int {
	if !klogHead.Match(line) {
		return 0
	}
	for n, l := range next {
		says, _ := splitEnd(l)
		if !inSentence(line) || !restOfMessage.Match(says) {
			return n
		}
		line = says
	}
	return len(next)
}

// inSentence reports whether a sentence continues after a line: it is long, and ends in a word, a comma or a colon.
func inSentence(line []byte) bool {
	last := line[len(line)-1]
	open := last == ',' || last == ':' || ofWord(last) && last != '.'
	return open && len(line) >= leastMessage
}

// fieldsBelow returns how many of the next lines have indented fields of a log line, or the rest of a quoted field.
func fieldsBelow(line []byte, next [][]byte) int {
	open := openQuote(line)
	for n, l := range next {
		says, _ := splitEnd(l)
		indented := len(says) > 0 && (says[0] == ' ' || says[0] == '\t')
		switch {
		case open && !indented:
			return 0 // the quote belongs to the message
		case !open && !(indented && hasFieldsOf(line, says)):
			return n
		}
		open = open != openQuote(says)
	}
	return 0
}

// hasFieldsOf reports whether an indented line has fields of the message above it. A second time starts another message.
func hasFieldsOf(line, says []byte) bool {
	timed := []byte(`time="`)
	return continuedField.Match(says) && !(bytes.Contains(line, timed) && bytes.Contains(says, timed))
}

// openQuote reports whether a line has a quote that does not end in it.
func openQuote(line []byte) bool {
	open := false
	for i, c := range line {
		if c == '"' && (i == 0 || line[i-1] != '\\') {
			open = !open
		}
	}
	return open
}
