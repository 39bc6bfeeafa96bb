package logline

import (
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Origin is the content of the head of a log line: time, host, program.
type Origin struct {
	Time    time.Time // zero if the line has no readable time
	Host    string
	Program string
}

var (
	syslog = lazyregexp.New(`^([A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d)(?:\.\d+)? (\S+) ([^\s:\[]+)(?:\[\d+\])?:`)
	ring   = lazyregexp.New(`^\[((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})\]`)
	epoch  = lazyregexp.New(`"(?:ts|time|timestamp)": ?(\d{10})(?:\d{3})?\b`)
	iso    = lazyregexp.New(`^\d{4}-\d\d-\d\dT\S+ (\S+) ([^\s:\[]+)(?:\[\d+\])?: `)
	ours   = lazyregexp.New(`^\d{4}-\d\d-\d\dT\S+ kernel: \[`) // as the agent writes the kernel log
)

// ReadOrigin reads the head of a journald, syslog, klog, logfmt, JSON or Go log line. Heads without a year get the year that
// puts the line at or shortly before ref.
func ReadOrigin(line string, ref time.Time) Origin {
	head := line
	if len(head) > 300 {
		head = head[:300]
	}
	var o Origin
	stamp, host, program, ok := readSyslog(head)
	if !ok || strings.HasSuffix(host, ":") {
		host = ""
		stamp, program, ok = readUnhosted(head)
	}
	if ok {
		o.Host, o.Program = hostAndProgram(host, program)
		if t, err := time.Parse("Jan _2 15:04:05", stamp); err == nil {
			o.Time = withYear(t, ref)
		}
		return o
	}
	if startsWithDate(head) {
		if m := iso.FindStringSubmatch(head); m != nil {
			o.Host, o.Program = hostAndProgram(m[1], m[2])
		} else if ours.MatchString(head) {
			o.Program = "kernel"
		}
	}
	o.Time = timeOf(head, ref)
	return o
}

// hostAndProgram returns the fields after the time of a head. A head without a host has its program first, and a level in brackets
// is neither.
func hostAndProgram(host, program string) (string, string) {
	if first, colon := strings.CutSuffix(host, ":"); colon {
		first, _, _ = strings.Cut(first, "[")
		return "", first
	}
	if strings.HasPrefix(host, "[") {
		return "", ""
	}
	return host, program
}

// timeOf reads the time of a head, except syslog's.
func timeOf(head string, ref time.Time) time.Time {
	from, to, full := ownStamp(head)
	at, short, ok := klogIn(head)
	switch {
	case ok && (!full || at < from): // a time after the head belongs to the message
		if t, err := time.Parse("0102 15:04:05.999999999", short); err == nil {
			return withYear(t, ref)
		}
		return time.Time{}
	case full:
		return parseStamp(head[from:to])
	}
	if strings.HasPrefix(head, "[") { // dmesg -T
		if m := ring.FindStringSubmatch(head); m != nil {
			t, _ := time.Parse("Mon Jan _2 15:04:05 2006", m[1])
			return t
		}
	}
	if m := epoch.FindStringSubmatch(head); m != nil { // the JSON form of klog and zap
		if seconds, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return time.Unix(seconds, 0).UTC()
		}
	}
	return time.Time{}
}

// value matches the text before a time in a message: an expiry, a schedule, a start.
var value = lazyregexp.New(`(?i)(?:\b(?:at|until|till|since|on|after|before|by|from|to|is|was|than|and|due|valid|expires?|expired|ends?|ended|starts?|started|scheduled)|` +
	`\b(?:not[_ ]?(?:after|before)|exp[a-z]{0,12}|valid[a-z]{0,12}|until|deadline|renew[a-z]{0,12}|next[a-z]{0,12}|schedule[a-z]{0,12}|due[a-z]{0,12})["']? ?[:=])\s{0,3}["'(\[]?$`)

// ownStamp returns the bounds of the first time that is the line's own.
func ownStamp(head string) (from, to int, ok bool) {
	for skipped := 0; ; {
		from, to, ok = stampIn(head[skipped:])
		if !ok {
			return 0, 0, false
		}
		from, to = from+skipped, to+skipped
		if from == 0 || !value.MatchString(head[max(0, from-40):from]) {
			return from, to, true
		}
		skipped = to
	}
}

func parseStamp(s string) time.Time {
	s = strings.ReplaceAll(strings.Replace(s, ",", ".", 1), "/", "-")
	s = strings.Replace(s, " ", "T", 1)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// withYear gives a date without a year the latest year that puts it at most a day after ref.
func withYear(t, ref time.Time) time.Time {
	if ref.IsZero() {
		return time.Time{}
	}
	t = t.AddDate(ref.Year(), 0, 0)
	if t.After(ref.AddDate(0, 0, 1)) {
		t = t.AddDate(-1, 0, 0)
	}
	return t.UTC()
}
