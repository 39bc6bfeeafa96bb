package paste

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// ending is what follows an output.
type ending int

const (
	otherText ending = iota // a line of something else
	prompt                  // the next prompt
	fence                   // the end of a quoted block
	endOfText
)

// reader takes the lines of one output in order.
type reader interface {
	// take reads a line. It returns false if the line is not part of this output.
	take(l line) bool
	// close is called once, after the last line.
	close(how ending)
}

// page is the state of reading one text.
type page struct {
	text    *Text
	no      int    // current line
	file    string // from a "==> file <==" line; empty: none
	tried   int    // lines that were not dismissed immediately
	starred bool   // lines of the file start with "* ", as in logs of older minikube versions
	fenced  bool   // inside a code fence
	asked   int    // line of the last command
	stopped bool   // the author stopped a program, and started none since
	host    host
	cmd     *command // command with the current output, if supported; nil: unknown
	idle    int      // lines since the command that no reader took
	reader  reader
	report  map[reportKey]*nodereport.Report
	kinds   *textclass.Lines // finds help, advice and other text that reports no state
}

type reportKey struct {
	file string
	host host
}

const maxReports = 5_000 // machines in one text

// maxStart is the maximum length of a line that may be a prompt or start an output: an event with its message.
const maxStart = 16 << 10

// maxIdle is how many unknown lines end the output of a command.
const maxIdle = 200

func newPage(name string) *page {
	return &page{
		text:   &Text{name: name, rows: map[string]int{}, dropped: map[string]int{}},
		report: map[reportKey]*nodereport.Report{},
		kinds:  textclass.NewLines(textclass.Kind{}),
	}
}

// betweenParts reports whether the page is outside any table or command output.
func (p *page) betweenParts() bool { return p.reader == nil && p.cmd == nil }

// raw takes a raw line; long: the rest of it was dropped.
func (p *page) raw(b []byte, long bool) {
	p.no++
	if p.text.until > 0 || p.betweenParts() && !p.kinds.Notices(b) && dismiss(b) {
		return
	}
	if p.tried++; p.tried > maxTried {
		p.finish(otherText)
		p.text.until = p.no
		return
	}
	l := line{no: p.no, text: clean(b)}
	before := len(p.text.rows)
	p.line(l)
	if long && (p.reader != nil || len(p.text.rows) != before) {
		p.text.cut++
	}
}

func (p *page) line(l line) {
	if p.starred {
		l.text = strings.TrimPrefix(l.text, "* ")
	}
	if p.mark(l) {
		return
	}
	if p.reader != nil {
		if p.reader.take(l) {
			p.idle = 0
			return
		}
		p.finish(otherText)
	}
	if kind := p.kinds.Of(l.text); kind.Class == textclass.Reference || textclass.IsRemark(l.text) {
		return
	}
	if l.text == "" || len(l.text) > maxStart {
		return
	}
	if r := p.start(l); r != nil {
		p.reader, p.idle = r, 0
		return
	}
	if p.cmd != nil {
		if p.idle++; p.idle > maxIdle {
			p.cmd = nil
		}
	}
}

// mark handles lines that structure the text: fences, file headers, prompts with commands.
func (p *page) mark(l line) bool {
	if strings.HasPrefix(strings.TrimLeft(l.text, " "), "```") {
		p.fence(l)
		return true
	}
	if file, ok := fileHead(strings.TrimPrefix(l.text, "* ")); ok {
		p.finish(otherText)
		p.kinds.Begin(textclass.OfFile(file))
		p.cmd, p.file, p.host = nil, file, host{}
		p.starred = p.starred || l.text[0] == '*'
		return true
	}
	if h, ok := fleetHead(l.text); ok {
		p.finish(prompt)
		p.cmd, p.host = nil, h
		return true
	}
	if len(l.text) > maxStart {
		return false
	}
	h, rest, ok := splitPrompt(l.text)
	if !ok {
		return false
	}
	p.finish(prompt)
	p.kinds.Command(l.text, textclass.Kind{})
	before := p.cmd
	p.cmd, p.idle, p.asked = nil, 0, l.no
	p.host = p.host.moved(h)
	if before != nil && slices.Contains(asksStatus, rest) { // the next line is the exit status of the previous command
		p.cmd = before
		return true
	}
	if rest == "" {
		return true
	}
	cmd := parseCommand(rest)
	if cmd == nil {
		return true
	}
	p.kinds.Command(l.text, cmd.kind())
	cmd.sure = rest != strings.TrimSpace(l.text) && !strings.Contains(l.text, "`"+rest+"`")
	p.host = p.host.after(cmd)
	p.note(cmd)
	if cmd.leaves {
		return true
	}
	p.run(cmd)
	return true
}

// asksStatus are the commands that print the exit status of the previous one.
var asksStatus = []string{"echo $?", `echo "$?"`, "echo $status", "echo rc=$?", "echo exit=$?"}

// fence starts or ends a quoted block. The block is the output of a command directly above it.
func (p *page) fence(l line) {
	p.fenced = !p.fenced
	if p.fenced && p.asked > 0 && l.no-p.asked <= 2 {
		return
	}
	p.finish(fence)
	p.cmd = nil
}

// run sets the command of the next output.
func (p *page) run(cmd *command) {
	read, known := outputs[cmd.tool()]
	if !known {
		return
	}
	p.cmd, p.idle = cmd, 0
	if read != nil {
		p.reader = read(p, cmd)
	}
}

func (p *page) finish(how ending) {
	if r := p.reader; r != nil {
		p.reader = nil
		r.close(how)
	}
}

func (p *page) end() {
	p.finish(endOfText)
	p.text.finish()
}

// ref returns a reference to a line of the text.
func (p *page) ref(l line) evidence.Ref {
	source := p.text.name
	if p.file != "" {
		source += ":" + p.file
	}
	return evidence.Ref{Source: source, Locator: fmt.Sprintf("line %d", l.no), Text: wording.Cut(strings.TrimSpace(l.text), maxQuote)}
}

const maxQuote = 1000 // bytes of a quoted line

// quote is ref for the string fields of a report.
func quote(l line) string {
	return fmt.Sprintf("line %d: %s", l.no, wording.Cut(strings.TrimSpace(l.text), 300))
}

// node returns the report of the current host, and adds it if needed. Callers use it only to add data.
func (p *page) node() *nodereport.Report {
	key := reportKey{p.file, p.command().host(p.host)}
	r := p.report[key]
	if r == nil {
		source := p.text.name
		if p.file != "" {
			source += ":" + p.file
		}
		r = &nodereport.Report{APIVersion: nodereport.APIVersion, Kind: nodereport.Kind, Source: source}
		if len(p.text.reports) >= maxReports {
			p.text.dropped["machines"]++
			return r // discarded
		}
		p.report[key] = r
		p.text.reports = append(p.text.reports, &hostReport{Report: r, host: key.host, file: key.file})
	}
	return r
}

// command returns the command of the current output; never nil.
func (p *page) command() *command {
	if p.cmd == nil {
		return &command{}
	}
	return p.cmd
}
