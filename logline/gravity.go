package logline

import (
	"regexp"
	"strings"
)

// Gravity is how much a line says that something went wrong. The zero Gravity is Plain.
type Gravity int

// From nothing to the end of a process.
const (
	Plain   Gravity = iota
	Warning         // something may be wrong
	Error           // an operation failed
	Fatal           // a component cannot work, or ends
)

func (g Gravity) String() string { return [...]string{"plain", "warning", "error", "fatal"}[g] }

var (
	fatalWords = regexp.MustCompile(`(?i)\bfatal\b|\bpanic\b|level=(?:fatal|panic)|"level" ?: ?"(?:fatal|panic|dpanic)"|^F\d{4} |\sF\d{4} \d\d:|segfault|core dumped|` +
		`failed to (?:start|run|initiali[sz]e) (?:the )?(?:kubelet|daemon|node|agent|controller|server|manager|proxy|plugin|containerd|service)|` +
		`command failed|exit(?:ed|ing)?(?: with)?(?: status| code| due)|\bexiting(?:[.,:;!"]|$| (?:because|on|after|now|process|program))|main process exited|Failed with result|Start request repeated too quickly|` +
		`Kernel panic|\bOops\b|BUG:|Call Trace|hung_task|blocked for more than \d+ seconds|Out of memory: Kill|soft lockup|cannot (?:start|continue)|aborting|Traceback \(most recent|unhandled exception|` +
		`error execution phase|\[ERROR [A-Z]`)
	errorWords = regexp.MustCompile(`(?i)\berrors?\b|\berr=|\berro\b|level=err|^E\d{4} |\sE\d{4} \d\d:|\bfail(?:ed|ure|ing|s)?\b|\bdenied\b|\brefused\b|\bcannot\b|\bcan't\b|\bcould ?n[o']t\b|\bunable to\b|time(?:d ?)?-?out|deadline exceeded|` +
		`\bnot found\b|no such|\binvalid\b|\bunknown (?:flag|field|service|host|authority)|unauthorized|forbidden|\bexpired\b|unreachable|no route|\bI/O error|no space|too many|\bmissing\b|\bmismatch|\bconflict|\bcorrupt|` +
		`not supported|unsupported|unhealthy|not ready|already (?:exists|in use)|\bkilled\b|\blost\b|does not exist|rejected|exceeded|insufficient|exhausted|Read-only file system|\bunexpected|\babort|\bbad \w|use of closed|\brefus(?:e|ing)\b|unable`)
	warnWords = regexp.MustCompile(`(?i)\bwarn(?:ing)?\b|level=warn|^W\d{4} |\sW\d{4} \d\d:|\bretry(?:ing)?\b|\bslow\b|\bwaiting for\b|\bdropp(?:ed|ing)\b|\bback-?off\b`)
	plainHead = regexp.MustCompile(`(?:^|[\s:\]])I\d{4} \d\d:\d\d:\d\d|level=(?:info|debug|trace)\b|"level" ?: ?"(?:info|debug|trace)"|\[(?:INFO|DEBUG|TRACE)\]|\s(?:INFO|DEBUG|TRACE)\s`)
	harmless  = regexp.MustCompile(`(?i)\b(?:no|0|without|any) errors?\b|error(?:s|_count)?[=:] ?(?:0|nil|null|none|<nil>|""?)(?:\W|$)|err="?(?:nil|<nil>)|ignor(?:e|ed|ing)\b.{0,40}\berror|\bfail(?:ed|ures?)?[=:] ?0\b|fail-?(?:over|safe|Swap|CgroupV1|fast)|error[_-]?(?:log|handler|page)s?\b|exiting analyzeLines`)
)

// GravityOf returns the gravity of a line by its level and its words. A line that its own level calls ordinary is at most
// a warning, unless it tells that a process ended.
func GravityOf(line string) Gravity {
	text := line[:min(len(line), 2000)]
	fatal := fatalWords.MatchString(text)
	switch {
	case harmless.MatchString(text):
		return Plain
	case fatal:
		return Fatal
	case plainHead.MatchString(text[:min(len(text), 300)]):
		if errorWords.MatchString(Body(text)) {
			return Warning
		}
		return Plain
	case errorWords.MatchString(text):
		return Error
	case warnWords.MatchString(text):
		return Warning
	}
	return Plain
}

// Loud reports whether a line is worth a closer look: a quick test that every line with a gravity passes. lower is the line in
// lower case.
func Loud(lower string) bool {
	if len(lower) > 5 && (lower[0] == 'e' || lower[0] == 'f') && lower[1] >= '0' && lower[1] <= '9' {
		return true // klog's own level
	}
	for _, word := range loudWords {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

var loudWords = []string{
	"fail", "err", "fatal", "panic", "denied", "refused", "cannot", "can't", "unable", "time", "exceeded", "not found", "no such", "invalid", "unknown", "unexpected", "abort", "bad ", "refus", "broken", "disconnect", "closed",
	"exit", "kill", "expired", "unreach", "no route", "no space", "warn", "missing", "corrupt", "support", "unhealthy", "conflict", "bug:", "trace", "oops", "lockup", "blocked for",
	"read-only", "forbidden", "unauthorized", "lost", "drop", "too quickly", "not ready", "exhaust", "insufficient", "mismatch", "does not exist", "already", "too many", "reject", "crash", "core dumped", "segfault",
}
