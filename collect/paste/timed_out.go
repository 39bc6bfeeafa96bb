package paste

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var (
	// timedOut is the exit status of a command that coreutils' timeout ended, as people print it.
	timedOut = lazyregexp.New(`^(?:(?:rc|exit|code|status|ret)(?: ?code| ?status)?\s*[=:]?\s*)?124$`)
	// answeredInTime is that of one that ended by itself, and well.
	answeredInTime = lazyregexp.New(`^(?:(?:rc|exit|code|status|ret)(?: ?code| ?status)?\s*[=:]?\s*)?0$`)
	// took is how long a command took, as bash's time tells.
	took = lazyregexp.New(`^real\s+(\d+)m([\d.]+)s$`)
)

// shortLimit is a time in which a busy runtime that is well may not answer.
const shortLimit = 5 * time.Second

// asksRuntime reports whether the command asks the runtime what it has, which takes no time where it is well. What runs, follows or
// pulls something may take any.
func asksRuntime(c *command) bool {
	if !slices.Contains([]string{"crictl", "ctr", "docker", "nerdctl"}, c.tool()) {
		return false
	}
	rest := skipFlags(c.words[1:], "-n", "--namespace", "-r", "--runtime-endpoint", "-a", "--address", "-H", "--host")
	return len(rest) > 0 && slices.Contains([]string{"ps", "pods", "info", "version", "images", "ls"}, rest[0]) ||
		len(rest) > 1 && slices.Contains([]string{"ls", "list"}, rest[1])
}

// asked is what else a command asks that answers at once where it is well: a file system for its size, the service manager for its
// state.
func asked(c *command) (what, name string) {
	rest := skipFlags(c.words[1:])
	switch c.tool() {
	case "stat", "df":
		if len(rest) > 0 && strings.HasPrefix(rest[0], "/") {
			return "file system", rest[0]
		}
	case "systemctl":
		if len(rest) > 0 && slices.Contains([]string{"is-system-running", "is-active", "list-units", "status", "show"}, rest[0]) {
			return "service manager", "systemd"
		}
	case "busctl":
		return "service manager", "the bus"
	}
	return "", ""
}

// startTimedOut reads the end of a question that was bounded by timeout: who takes the question and never answers.
func startTimedOut(p *page, l line) reader {
	c := p.command()
	if c == nil || c.limit < shortLimit {
		return nil
	}
	text := strings.TrimSpace(l.text)
	if what, name := asked(c); what != "" && timedOut.MatchString(text) && p.text.room("what hangs", l) {
		p.node().Hung = append(p.node().Hung, nodereport.Hung{What: what, Name: name, After: c.limit})
		return done
	}
	if !asksRuntime(c) {
		return nil
	}
	if answeredInTime.MatchString(text) {
		if !p.text.room("runtime answers", l) {
			return nil
		}
		r := p.runtime()
		r.Answer, r.Latency, r.Message, r.Ref = "ok", 0, "", quote(l)
		return done
	}
	ended := timedOut.MatchString(text)
	if m := took.FindStringSubmatch(text); m != nil {
		minutes, _ := strconv.Atoi(m[1])
		seconds, _ := strconv.ParseFloat(m[2], 64)
		ended = bounds.Times(int64(minutes), time.Minute).Seconds()+seconds >= c.limit.Seconds()
	}
	if !ended || !p.text.room("runtime answers", l) {
		return nil
	}
	r := p.runtime()
	if r.Answer == "refused" { // crictl waits for its deadline on a socket that nobody serves too, and says so
		return done
	}
	r.Answer, r.Latency, r.Message, r.Ref = "hung", c.limit, c.raw, quote(l)
	return done
}
