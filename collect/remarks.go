package collect

import (
	"bufio"
	"bytes"
	"io"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var (
	// remarked matches a line that begins with a number sign.
	remarked = lazyregexp.New(`(?m)^[ \t]*#`)
	// arrowed matches the start of output that a person wrote as a comment with an arrow: "# → Error: unknown flag".
	arrowed = lazyregexp.New(`^\s*# ?(?:→|=>|->)\s*`)
	// ofTable matches a line of a table, the title of one, or nothing.
	ofTable = lazyregexp.New(`^\s*$|^\s*[A-Z]\w*(?: \w+)?:\s*$|^\s*\S.*\S {2,}\S`)
)

// withoutRemarks removes the number sign in front of output that a person wrote as comments below a command, as runbooks do: of
// each line of a table or a log, and of lines with an arrow. All lines keep their numbers.
func withoutRemarks(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, wrapSample)
	sample, _ := b.Peek(wrapSample) // an error occurs again at the read
	if !remarked.Match(sample) {
		return b
	}
	below := false     // of a command, with nothing but such lines in between
	continued := false // the last line is a part of a command that continues
	return newLineFilter(b, func([]byte) bool { return true }, func(line []byte) []byte {
		start := bytes.TrimLeft(line, " \t")
		if len(start) == 0 || start[0] != '#' {
			said, _ := splitEnd(line)
			below = continued || paste.Typed(string(said))
			continued = bytes.HasSuffix(said, []byte(`\`))
			return line
		}
		says, _ := splitEnd(start[1:])
		switch {
		case below && arrowed.Match(line):
			return line[len(arrowed.Find(line)):]
		case below && isOutput(says):
			return bytes.TrimPrefix(start[1:], []byte(" "))
		}
		below = false
		return line
	})
}

// isOutput reports whether a comment is a line of a table or of a log, and no command.
func isOutput(says []byte) bool {
	said := bytes.TrimLeft(says, " ")
	return (ofTable.Match(says) || stampedHead.Match(said) || klogHead.Match(said)) && !paste.Typed(string(said))
}
