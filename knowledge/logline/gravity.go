package logline

import (
	"strings"
	"sync"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// Gravity is the severity of a line. The zero Gravity is Plain.
type Gravity int

// From no problem to the end of a process.
const (
	Plain   Gravity = iota
	Warning         // something may be wrong
	Error           // an operation failed
	Fatal           // a component cannot work, or exits
)

func (g Gravity) String() string { return [...]string{"plain", "warning", "error", "fatal"}[g] }

var (
	fatalWords = prefilter.MustCompile(`(?i)\bfatal\b|(?:^|[^/.\w])panic\b|level=(?:fatal|panic)|\bFATA\[|"level" ?: ?"(?:fatal|panic|dpanic)"|segfault|core dumped|` +
		`failed to (?:start|run|initiali[sz]e) (?:the )?(?:kubelet|daemon|node|agent|controller|server|manager|proxy|plugin|containerd|service)|` +
		`failed to start \w{0,40}manager\b|command failed|\(code=(?:exited, status=[1-9]|dumped)|exit(?:ed|ing)?(?: with)?(?: status| code| due)|\bexiting(?:[.,:;!"]|$| (?:because|on|after|now|process|program))|main process exited|Failed with result|Start request repeated too quickly|` +
		`Kernel panic|\bOops\b|BUG:|hung_task|blocked for more than \d+ seconds|Out of memory: Kill|soft lockup|cannot (?:start|continue)|aborting|Traceback \(most recent|unhandled exception|` +
		`error execution phase|\[ERROR [A-Z]|CategoryInfo *: ParserError|exiting due to [A-Z_]+:`)
	errorWords = prefilter.MustCompile(`(?i)\berrors?\b|\berr=|\berro\b|level=err|\bfail(?:ed|ure|ing|s)?\b|\bdenied\b|\brefused\b|\bcannot\b|\bcan't\b|\bcould ?n[o']t\b|\bunable to\b|time(?:d ?)?-?out|deadline exceeded|` +
		`\bnot found\b|no such|\binvalid\b|\bunknown (?:flag|field|service|host|authority)|unauthorized|forbidden|\bexpired\b|unreachable|no route|\bI/O error|no space|too many|\bmissing\b|\bmismatch|\bconflict|\bcorrupt|` +
		`not supported|unsupported|unhealthy|not ready|already (?:exists|in use)|\bkilled\b|\blost\b|does not exist|rejected|exceeded|insufficient|exhausted|Read-only file system|\bunexpected|\babort|\bbad \w|use of closed|\brefus(?:e|ing)\b|unable|` +
		`already mounted|mount point (?:is )?busy|\bno more can be\b|\bincompatible\b|\bno matches for kind\b|out of memory|cannot allocate|\boverflow|\b(?:table|queue|ring|buffer|disk|device|file ?system)(?: is)? full\b|\bstalls?\b|\bstalled\b|\boffline\b|CategoryInfo *: `)
	warnWords = prefilter.MustCompile(`(?i)\bwarn(?:ing)?\b|level=warn|\bretry(?:ing)?\b|\bslow\b|\bwaiting for\b|\bdropp(?:ed|ing)\b|\bback-?off\b`)
	plainHead = lazyregexp.New(`(?:^|[\s:\]])I\d{4} \d\d:\d\d:\d\d|level=(?:info|debug|trace)\b|"level" ?: ?"(?:info|debug|trace)"|\[(?:INFO|DEBUG|TRACE)\]|\s(?:INFO|DEBUG|TRACE)\s`)
	harmless  = prefilter.MustCompile(`(?i)\b(?:no|0|without|any) errors?\b|error(?:s|_count)?[=:] ?(?:0|nil|null|none|<nil>|""?)(?:\W|$)|err="?(?:nil|<nil>)|ignor(?:e|ed|ing)\b.{0,40}\berror|\bfail(?:ed|ures?)?[=:] ?0\b|fail-?(?:over|safe|Swap|CgroupV1|fast)|error[_-]?(?:log|handler|page)s?\b|\btimeouts? (?:is )?set (?:for|to)\b|exiting analyzeLines|while cleaning up dead shim|kernel: (?:\[ *\d+\.\d+\] )?(?:Kernel )?command line: |exit code for .{1,200} is \[0\]|kernel[./]panic(?:_on\w+)?, expected value`)
)

// GravityOf returns the gravity of a line by its level and its words. A line with an ordinary level is at most a warning,
// unless it reports the end of a process.
func GravityOf(line string) Gravity {
	line = line[:min(len(line), 2000)]
	text := prefilter.NewText(line)
	switch {
	case harmless.Match(text):
		return Plain
	case klogLevel(line, 'F') || fatalWords.Match(text):
		return Fatal
	case plainHead.MatchString(line[:min(len(line), 300)]):
		if body := Body(line); klogLevel(body, 'E') || errorWords.Match(prefilter.NewText(body)) {
			return Warning
		}
		return Plain
	case klogLevel(line, 'E') || errorWords.Match(text):
		return Error
	case klogLevel(line, 'W') || warnWords.Match(text):
		return Warning
	}
	return Plain
}

// klogLevel reports whether a line has klog's head with that level, at its start or after the head of a journal.
func klogLevel(line string, level byte) bool {
	for at := 0; ; at++ {
		i := strings.IndexByte(line[at:], level)
		if i < 0 {
			return false
		}
		if at += i; isKlogHead(line, at) {
			return true
		}
	}
}

// isKlogHead reports whether the letter at that place begins klog's head: with a date at the start of a line, or with date and
// time after a space.
func isKlogHead(line string, at int) bool {
	if at == 0 {
		return hasForm(line, 1, "0000 ")
	}
	return isSpace(line[at-1]) && hasForm(line, at+1, "0000 00:")
}

// hasForm reports whether the text at that place has a digit for each zero of the form, and the form's other bytes.
func hasForm(text string, at int, form string) bool {
	if len(text)-at < len(form) {
		return false
	}
	for i := range len(form) {
		b := text[at+i]
		if form[i] == '0' {
			if !isDigit(b) {
				return false
			}
		} else if b != form[i] {
			return false
		}
	}
	return true
}

func isSpace(b byte) bool {
	switch b {
	case ' ', '\t', '\n', '\f', '\r':
		return true
	}
	return false
}

// Loud reports whether a line needs a closer look. It is a fast test that every line with a gravity passes.
func Loud(line string) bool {
	if len(line) > 5 && (line[0]|0x20 == 'e' || line[0]|0x20 == 'f') && isDigit(line[1]) {
		return true // klog's level
	}
	starts := loudStarts()
	for i := 0; i+1 < len(line); i++ {
		for _, word := range starts[pairOf(line[i], line[i+1])] {
			if len(line)-i >= len(word) && line[i+2]|0x20 == word[2]|0x20 && strings.EqualFold(line[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

// loudStarts are the words by their first two letters, so that one lookup per position is enough.
var loudStarts = sync.OnceValue(func() *[pairs][]string {
	var out [pairs][]string
	for _, word := range loudWords {
		p := pairOf(word[0], word[1])
		out[p] = append(out[p], word)
	}
	return &out
})

// pairOf returns a number for two letters, ignoring case.
func pairOf(a, b byte) int { return int(a&0x1f)<<5 | int(b&0x1f) }

const pairs = 1 << 10

// loudWords have at least three letters.
var loudWords = []string{
	"fail", "err", "fatal", "panic", "denied", "refused", "cannot", "can't", "unable", "time", "exceeded", "not found", "no such", "invalid", "unknown", "unexpected", "abort", "bad ", "refus", "broken", "disconnect", "closed",
	"exit", "kill", "expired", "unreach", "no route", "no space", "warn", "missing", "corrupt", "support", "unhealthy", "conflict", "bug:", "trace", "oops", "lockup", "blocked for",
	"read-only", "forbidden", "unauthorized", "lost", "out of mem", "overflow", "full", "stall", "offline", "categoryinfo", "drop", "too quickly", "not ready", "exhaust", "insufficient", "mismatch", "does not exist", "already", "too many", "reject", "crash", "core dumped", "segfault", "busy", "no more can", "incompatible", "no matches for",
}
