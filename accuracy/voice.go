package accuracy

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// words are one message of a program, without the head of its log line.
type words struct {
	caller string // for klog; empty: the program does not use klog
	level  string // info, warning, error
	text   string
}

var severityOf = map[string]string{"info": "I", "warning": "W", "error": "E"}

// say formats a message at a time with the same head as another line of the program; false if the head is unknown.
func say(like string, at time.Time, w words) (string, bool) {
	written, year, ok := head(like)
	if !ok {
		if written, ok = sinceBoot(like); !ok {
			return "", false
		}
		return uptime.FindString(shift(like, at.Sub(written))) + " " + w.text, true
	}
	if !year {
		at = inYear(at, yearless)
	}
	like = shift(like, at.Sub(written))
	if m := klogBody.FindStringSubmatchIndex(like); m != nil {
		caller := w.caller
		if caller == "" {
			caller = "log.go:32"
		}
		return like[:m[2]] + severityOf[w.level] + like[m[4]:m[5]] + like[m[6]:m[7]] + caller + "] " + w.text, true
	}
	if m := logrusBody.FindStringSubmatchIndex(like); m != nil {
		return fmt.Sprintf(`%stime="%s" level=%s msg=%q`, like[:m[0]], like[m[2]:m[3]], w.level, w.text), true
	}
	if m := calicoBody.FindStringSubmatch(like); m != nil {
		return fmt.Sprintf("%s [%s][%s] %s %s: %s", m[1], strings.ToUpper(w.level), m[3], m[4], m[5], w.text), true
	}
	if m := etcdOld.FindString(like); m != "" {
		return m[:len(m)-4] + "I | " + w.text, true
	}
	if i := strings.IndexByte(like, '{'); i >= 0 {
		if text, ok := sayJSON(like[i:], w); ok {
			return like[:i] + text, true
		}
	}
	if m := journalHead.FindString(like); m != "" {
		return m + w.text, true
	}
	if m := plainHead.FindString(like); m != "" {
		return m + " " + w.text, true
	}
	return "", false
}

// plainHead matches the head of a log line with a time, perhaps a program, and then the message.
var plainHead = regexp.MustCompile(`^(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\[` + weekdays + ` ` + months + ` [ \d]\d \d\d:\d\d:\d\d \d{4}\])`)

// sayJSON formats the message as an object of a structured log.
func sayJSON(like string, w words) (string, bool) {
	var object map[string]any
	d := json.NewDecoder(strings.NewReader(like))
	d.UseNumber()
	if d.Decode(&object) != nil {
		return "", false
	}
	said := false
	out := map[string]any{}
	for key, value := range object {
		switch key {
		case "ts", "time", "timestamp", "logger", "v", "stream":
			out[key] = value
		case "level", "severity":
			out[key] = w.level
		case "msg", "message", "log":
			out[key], said = w.text, true
		case "caller":
			out[key] = w.caller
		}
	}
	if !said {
		return "", false
	}
	data, err := json.Marshal(out)
	return string(data), err == nil
}
