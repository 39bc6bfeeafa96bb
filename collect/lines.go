package collect

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

// Bounds for the lines that are kept of one text.
const (
	maxLines     = 40      // lines that show a problem
	maxLast      = 3       // last lines of a text without such lines
	maxSaid      = 2       // sentences in which a person reports a problem, interrupted commands, and test messages
	maxTemplates = 2000    // distinct messages that are tracked while reading
	maxLineText  = 4 << 10 // of one line
)

// lineReader analyzes each line of a text during the signature search: its block, and whether it shows a problem even if no
// signature matches. The text is written to it.
type lineReader struct {
	name     string
	subject  evidence.Subject
	file     logline.Speaker // by the name of the file
	blocks   paste.Blocks
	kinds    *textclass.Lines
	kind     textclass.Kind // of the current line
	table    bool           // the line is a row of a kubectl table, so it is no final log line
	watched  watched
	measured measured
	reports  bool           // a line may report state, or there are too many lines to check
	silent   textclass.Kind // of the last line without state
	rest     []byte
	number   int
	loud     map[uint64]*evidence.Line
	parting  map[uint64]*evidence.Line // lines before the exit of a process
	ends     map[int]string            // the last line of each block that may have a time
	tails    tails
	apps     map[int]*sampled // samples of the first lines of each block
	block    int
	last     []evidence.Line // the last lines, with any content
	closing  []evidence.Line // the last lines of blocks before the last one
	said     []evidence.Line // sentences in which a person reports a problem
	written  []evidence.Line // a person writes a message to the kernel log
	hangs    []evidence.Line // interrupted commands
	asked    string          // the last command
}

func newLineReader(name string, kind textclass.Kind, subject evidence.Subject) *lineReader {
	return &lineReader{kinds: textclass.NewLines(kind), name: name, subject: subject, file: paste.FileSpeaker(name), loud: map[uint64]*evidence.Line{}, parting: map[uint64]*evidence.Line{}, ends: map[int]string{}, apps: map[int]*sampled{}}
}

func (l *lineReader) Write(p []byte) (int, error) {
	n := len(p)
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			if room := maxLineText - len(l.rest); room > 0 {
				l.rest = append(l.rest, p[:min(len(p), room)]...)
			}
			return n, nil
		}
		line := p[:min(i, maxLineText)]
		if len(l.rest) > 0 {
			l.rest = append(l.rest, line...)
			line = l.rest
		}
		l.take(string(bytes.TrimSuffix(line, []byte{'\r'})))
		l.rest = l.rest[:0]
		p = p[i+1:]
	}
}

func (l *lineReader) take(line string) {
	l.number++
	if l.startsBlock(line) {
		l.hearTest(line)
		return // the head of a block is a command or a title
	}
	l.kind = l.kinds.Of(line)
	if l.number <= maxProse && textclass.OfLine(line).Class == textclass.Prose {
		l.hearTest(line)
	}
	if l.note(line); !l.kind.MayReportState() {
		return
	}
	if strings.TrimSpace(line) == "" {
		l.table = false
		return
	}
	if l.interrupted(line) {
		return
	}
	if len(line) >= len(time.Stamp) { // prompts and pager marks are shorter and have no time
		l.ends[l.block] = line
	}
	l.tails.take(l.number, line)
	l.sample(line)
	if strings.Contains(line, "Main process exited, code=") {
		l.parted()
	}
	switch {
	case paste.HeadsTable(line):
		l.table = true
		l.watched.begin(line)
	case l.table:
		l.watched.take(l.number, line)
	default:
		l.measured.take(l.number, line)
		l.keepLast(line)
	}
	l.hearPerson(line)
	if logline.Loud(line) && (!textclass.Heading(line) || logline.GravityOf(line) >= logline.Fatal) {
		l.count(line)
	}
}

// count records a line with a problem, once for each kind of line in a block.
func (l *lineReader) count(line string) {
	key := logline.Template(line) + uint64(l.block)*0x9E3779B97F4A7C15
	known := l.loud[key]
	if known == nil {
		if len(l.loud) >= maxTemplates || !textclass.OfLine(line).MayReportState() {
			return
		}
		known = &evidence.Line{Gravity: logline.GravityOf(line), Block: l.block}
		l.loud[key] = known
	}
	known.Count++
	known.Number = l.number
	if known.Gravity > logline.Plain {
		known.Ref.Text = line
	}
}

// startsBlock reports whether the line is the head of a block, and begins that block.
func (l *lineReader) startsBlock(line string) bool {
	before := len(l.blocks.List())
	l.blocks.Take(line)
	n := len(l.blocks.List())
	if n == before {
		return false
	}
	l.block, l.table = n, false
	l.tails.begin(l.number, line)
	block, _ := l.blocks.Of(n)
	l.begin(block, line)
	l.asked = line
	l.measured.begin(line)
	return true
}

// superseded reports whether a later row of the text replaces the row at that line.
func (l *lineReader) superseded(number int) bool {
	return l.watched.superseded(number) || l.measured.superseded(number)
}

// maxProse is how many lines at the start of a text may be a person's description.
const maxProse = 100

// hearPerson keeps a sentence in which a person reports a problem.
func (l *lineReader) hearPerson(line string) {
	if l.number > maxProse || len(l.said) == maxSaid {
		return
	}
	if said := textclass.Complains(line) || logline.SaysOver(line); said && textclass.OfLine(line).Class == textclass.Prose {
		l.said = append(l.said, evidence.Line{Ref: evidence.Ref{Text: line}, Count: 1, Number: l.number, Block: l.block, Channel: evidence.Prose})
	}
}

// hearTest keeps a typed command or a sentence of a person who writes a message to the kernel log. A line of a log is neither: programs
// of strangers write there too.
func (l *lineReader) hearTest(line string) {
	if len(l.written) < maxSaid && strings.Contains(line, "/dev/kmsg") && logline.WritesKernelLog(line) {
		l.written = append(l.written, evidence.Line{Ref: evidence.Ref{Text: line}, Count: 1, Number: l.number, Block: l.block, Channel: evidence.Prose})
	}
}

// untilStopped matches commands that run until the user stops them.
var untilStopped = lazyregexp.New(`(?:^|\s)(?:-\w*[fw]\w*|--(?:follow|watch)(?:=\S*)?)(?:\s|$)|\b(?:ping|watch|top|htop|tcpdump|port-forward|proxy|iperf3?|attach|exec|vmstat|iostat)\b`)

// interrupted keeps a command, or a line of its output, that a user interrupted. It reports whether the line is one.
func (l *lineReader) interrupted(line string) bool {
	says := strings.TrimSpace(line)
	if !strings.HasSuffix(says, "^C") && !strings.HasSuffix(says, "^Z") {
		return false
	}
	block, within := l.blocks.Of(l.block)
	begun := within && block.Line == l.number-1
	alone := len(strings.Trim(says, "^CZ")) == 0
	if untilStopped.MatchString(l.asked) || alone && !begun {
		return true
	}
	if alone {
		says = strings.TrimSpace(l.asked) + " " + says
	}
	l.hangs = append(l.hangs, evidence.Line{Ref: evidence.Ref{Text: says}, Count: 1, Number: l.number, Block: l.block, Gravity: logline.Warning})
	l.hangs = l.hangs[max(0, len(l.hangs)-maxSaid):]
	return true
}

// keepLast keeps a line that may be the last one.
func (l *lineReader) keepLast(line string) {
	if n := len(l.last); n > 0 && l.last[n-1].Block != l.block {
		l.closing = append(l.closing, l.last[n-1])
		l.closing = l.closing[max(0, len(l.closing)-maxLast):]
		l.last = l.last[:0]
	}
	l.last = append(l.last, evidence.Line{Ref: evidence.Ref{Text: line}, Count: 1, Number: l.number, Block: l.block})
	if len(l.last) > 2*maxLast {
		l.last = append(l.last[:0], l.last[len(l.last)-maxLast:]...)
	}
}

// begin identifies the first line of a block.
func (l *lineReader) begin(b paste.Block, line string) {
	if b.Typed {
		l.kind = l.kinds.Command(line, b.Kind)
		return
	}
	l.kinds.Begin(b.Kind)
	l.kind = textclass.Kind{}
}

// maxSilent is the maximum number of lines of a text that is checked completely for lines that report state.
const maxSilent = 50

// note records whether a line may report state.
func (l *lineReader) note(line string) {
	kind := l.kind
	switch {
	case l.reports || strings.TrimSpace(line) == "":
		return
	case kind.MayReportState() && l.number <= maxSilent:
		kind = textclass.OfLine(line)
	}
	l.reports, l.silent = kind.MayReportState(), kind
}

// aside returns the kind of a text all of whose lines are reference or prose; false if any line may report state.
func (l *lineReader) aside() (textclass.Kind, bool) {
	return l.silent, !l.reports && (l.silent.Class == textclass.Reference || l.silent.Class == textclass.Prose)
}

// matched returns the text for matching, with blank lines in place of lines that report no state. It also takes every line.
func (l *lineReader) matched(r io.Reader) io.Reader {
	goesOn := false // the next bytes continue a line
	return newLineFilter(r, func([]byte) bool { return true }, func(line []byte) []byte {
		head := !goesOn
		goesOn = line[len(line)-1] != '\n'
		_, _ = l.Write(line)                           // cannot fail
		if head && goesOn && len(line) < maxHeldLine { // the last line of a text without a final newline
			l.finish()
			goesOn = false
		}
		if head && !goesOn && !l.kind.MayReportState() {
			return lineEnd(line)
		}
		return line
	})
}

// parted keeps the last lines of a process if systemd reports its exit next.
func (l *lineReader) parted() {
	for _, line := range slices.Backward(l.last) {
		text := line.Ref.Text
		if line.Block != l.block || len(l.parting) >= maxLast {
			return
		}
		if logline.SpeakerOf(text, logline.Unknown) == logline.Systemd {
			continue
		}
		key := logline.Template(text)
		if known := l.parting[key]; known != nil {
			line.Count += known.Count
		}
		line.LastBeforeExit = true
		l.parting[key] = &line
		return
	}
}

// finish takes the last line.
func (l *lineReader) finish() {
	if len(l.rest) > 0 {
		l.take(string(l.rest))
		l.rest = nil
	}
}

// around returns the block of the line with that number, and the speaker by its position.
func (l *lineReader) around(number int) (int, logline.Speaker) {
	block, b := l.blocks.At(number)
	if ofTenant(l.subject) {
		return block, logline.Application // for any format of its lines
	}
	if b.Object {
		return block, logline.Object
	}
	if b.Speaker != logline.Unknown {
		return block, b.Speaker
	}
	if l.subject.Kind == "Pod" {
		if s := logline.Named(l.subject.Name); s != logline.Other {
			return block, s
		}
		return block, logline.Other
	}
	if s := l.apps[block]; l.file == logline.Unknown && s != nil && s.foreign > s.lines/2 {
		return block, logline.Application
	}
	return block, l.file
}

// sampled counts the first lines of a block, and how many of them only an application writes.
type sampled struct{ lines, foreign int }

const sampleLines = 30

func (l *lineReader) sample(line string) {
	s := l.apps[l.block]
	if s == nil {
		s = &sampled{}
		l.apps[l.block] = s
	}
	if s.lines < sampleLines {
		s.lines++
		if logline.Foreign(line) {
			s.foreign++
		}
	}
}

// place records on a match its position and its speaker.
func (l *lineReader) place(m *evidence.Match, t signatures.Tally, ref time.Time) {
	var around logline.Speaker
	m.Block, around = l.around(t.LastLine)
	m.Line, m.LastLine = t.Line, t.LastLine
	l.hear(m, t, around)
	if _, b := l.blocks.At(t.LastLine); b.Pod.Name != "" && m.Kind == "" && m.Subject.IsZero() {
		m.Kind, m.Subject = evidence.TextLog, b.Pod
	}
	m.Until = logline.ReadOrigin(l.ends[m.Block], ref).Time
	l.tails.place(m, t.Text, cmp.Or(t.LastText, t.Text))
}

// described returns the name of the object whose description contains all lines of a match, or an empty string.
func (l *lineReader) described(m *evidence.Match) string {
	first, _ := l.blocks.At(m.Line)
	last, b := l.blocks.At(m.LastLine)
	if first != last || !m.Subject.IsZero() {
		return ""
	}
	return b.Name
}

// hear records the speaker of a match.
func (l *lineReader) hear(m *evidence.Match, t signatures.Tally, around logline.Speaker) {
	_, b := l.blocks.At(t.LastLine)
	if m.Speaker == logline.Unknown {
		m.Speaker = logline.SpeakerOf(t.Text, around)
	}
	switch channel := l.writtenBy(t.LastLine, t.Text); {
	case channel != evidence.PlainText:
		m.Hear(channel)
	case l.subject.Kind == "Pod":
		m.Channel = evidence.ComponentLog
	case b.Tenant:
		m.Speaker = logline.Command
	}
}

// writtenBy returns the channel of a line that an application wrote, or of a condition that no known monitor sets. It returns
// PlainText for other lines.
func (l *lineReader) writtenBy(number int, text string) evidence.Channel {
	_, b := l.blocks.At(number)
	if c, ok := paste.NodeCondition(text); ok {
		if _, channel := conditionSpeaker(&c); channel == evidence.ForeignCondition {
			return channel
		}
	}
	switch {
	case l.blocks.Written(number):
		return evidence.TerminationMessage
	case ofTenant(l.subject), b.OfTenant(text):
		return evidence.ApplicationLog
	}
	return evidence.PlainText
}

// ofTenant reports whether the text is the log of a pod that is not a cluster component.
func ofTenant(about evidence.Subject) bool {
	return about.Kind == "Pod" && !evidence.ComponentNamespace(about.Namespace)
}

// lines returns the lines that show a problem, most severe and newest first.
func (l *lineReader) lines(ref time.Time) []*evidence.Line {
	out := l.withParting(l.loudest())
	if len(out) == 0 {
		out = l.end()
	}
	for i := range l.hangs {
		out = append(out, &l.hangs[i])
	}
	for i := range l.said {
		out = append(out, &l.said[i])
	}
	for i := range l.written {
		out = append(out, &l.written[i])
	}
	for _, line := range out {
		l.complete(line, ref)
	}
	return out
}

// loudest returns the lines with a problem that no later line ends, most severe and newest first.
func (l *lineReader) loudest() []*evidence.Line {
	var out []*evidence.Line
	for _, line := range l.loud {
		if line.Gravity > logline.Plain && !l.superseded(line.Number) && !l.watched.calm(line.Number, line.Ref.Text) {
			out = append(out, line)
		}
	}
	decides := make(map[*evidence.Line]int, len(out))
	for _, line := range out {
		decides[line] = logline.Decides(line.Ref.Text)
	}
	slices.SortFunc(out, func(a, b *evidence.Line) int {
		return cmp.Or(cmp.Compare(b.Gravity, a.Gravity), cmp.Compare(decides[b], decides[a]), cmp.Compare(b.Number, a.Number))
	})
	return out[:min(len(out), maxLines)]
}

// withParting adds the last lines of programs that ended, or marks them.
func (l *lineReader) withParting(out []*evidence.Line) []*evidence.Line {
	for _, line := range slices.SortedFunc(maps.Values(l.parting), func(a, b *evidence.Line) int { return cmp.Compare(a.Number, b.Number) }) {
		same := func(x *evidence.Line) bool {
			return x.Block == line.Block && logline.Template(x.Ref.Text) == logline.Template(line.Ref.Text)
		}
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].LastBeforeExit = true
			continue
		}
		out = append(out, line)
	}
	return out
}

// end returns the last lines, which a person would check in a text without problems.
func (l *lineReader) end() []*evidence.Line {
	var out []*evidence.Line
	for _, line := range append(l.closing, l.last[max(0, len(l.last)-maxLast):]...) {
		if textclass.OfLine(line.Ref.Text).MayReportState() && !textclass.Heading(line.Ref.Text) {
			out = append(out, &line)
		}
	}
	return out
}

// complete fills in who wrote the line, when, and what follows it.
func (l *lineReader) complete(line *evidence.Line, ref time.Time) {
	_, around := l.around(line.Number)
	text := line.Ref.Text
	line.Subject, line.Speaker = l.subject, logline.SpeakerOf(text, around)
	if channel := l.writtenBy(line.Number, text); channel != evidence.PlainText {
		line.Speaker, line.Channel = logline.Application, channel
	}
	if line.Channel == evidence.Prose {
		line.Speaker = logline.Unknown
	}
	line.Time = logline.ReadOrigin(text, ref).Time
	line.Quiet, line.Rebooted = l.tails.after(line.Number, text, line.Speaker)
	line.Ref = evidence.Ref{Source: l.name, Locator: lineLocator(line.Number), Text: wording.Cut(text, maxEvidence), ObservedAt: line.Time}
	next := l.number + 1
	if block, more := l.blocks.Next(line.Block); more {
		next = block.Line
	}
	line.After = max(next-1-line.Number, 0)
}
