package textclass

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var noTime time.Time

// Lines classifies the lines of one text in order, by the lines before them. OfLine classifies the rest.
type Lines struct {
	document Kind
	block    Kind
	command  bool // the last line is a command that continues on the next one
	blank    bool // the last line of the block is empty
	in       *open
}

// NewLines returns Lines for a text of that kind.
func NewLines(document Kind) *Lines { return &Lines{document: document} }

// Command takes a typed command, with the kind of its output.
func (l *Lines) Command(line string, output Kind) Kind {
	l.block, l.in = output, nil
	l.command = strings.HasSuffix(strings.TrimSpace(line), `\`)
	if p := passageOf(line); p != nil && p.until != nil {
		l.in = &open{of: p}
	}
	return typed
}

// Begin takes the first line of a part of the text that is no command. It ends the open passage.
func (l *Lines) Begin(part Kind) { l.block, l.in, l.command = part, nil, false }

// Notices reports whether Of must see the line, even if the line alone has no meaning.
func (l *Lines) Notices(line []byte) bool {
	return l.in != nil || len(line) < maxHead && mayBegin(string(line))
}

// maxHead is the maximum length of the first line of a passage outside of logs, in bytes.
const maxHead = 100

// Of takes any other line.
func (l *Lines) Of(line string) Kind {
	if l.command {
		l.command = strings.HasSuffix(strings.TrimSpace(line), `\`)
		return typed
	}
	if !l.document.MayReportState() {
		return l.document
	}
	if !l.block.MayReportState() && l.announced(line) {
		l.block = Kind{}
	}
	if !l.block.MayReportState() && !failure.MatchString(line) {
		return l.block
	}
	if l.in != nil {
		if kind, in := l.goesOn(line); in {
			return kind
		}
	}
	if !mayBegin(line) {
		return Kind{}
	}
	if p := passageOf(line); p != nil {
		l.in = &open{of: p, depth: indent(saidIn(line)), program: programOf(line)}
		return p.kind
	}
	return Kind{}
}

// announcement matches a title of several words that a person writes above pasted output.
var announcement = lazyregexp.New(`^[A-Z][\pL'’]+(?: [\pL'’]+){1,6}:\s*$`)

// announced reports whether a line after an empty one is a person's title for the next part, which ends the command output.
func (l *Lines) announced(line string) bool {
	before := l.blank
	l.blank = strings.TrimSpace(line) == ""
	return before && announcement.MatchString(line)
}

// goesOn reports whether a line belongs to the open passage. Lines of other programs may be in between.
func (l *Lines) goesOn(line string) (kind Kind, in bool) {
	if l.in.program != "" {
		if program := programOf(line); program != l.in.program {
			return Kind{}, program != ""
		}
	}
	said, of := saidIn(line), l.in.of
	if of.until != nil && of.until.MatchString(said) {
		l.in = nil
		return of.kind, true
	}
	if !l.in.goesOn(said) {
		l.in = nil
		return Kind{}, false
	}
	return of.kind, true
}
