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
	// timedOut matches the printed exit status of a command that timeout of coreutils ended.
	timedOut = lazyregexp.New(`^(?:(?:rc|exit|code|status|ret)(?: ?code| ?status)?\s*[=:]?\s*)?124$`)
	// answeredInTime matches the exit status of a command that succeeded.
	answeredInTime = lazyregexp.New(`^(?:(?:rc|exit|code|status|ret)(?: ?code| ?status)?\s*[=:]?\s*)?0$`)
	// took matches the duration of a command, from bash's time.
	took = lazyregexp.New(`^real\s+(\d+)m([\d.]+)s$`)
)

// shortLimit is a time in which a busy but healthy runtime may not respond.
const shortLimit = 5 * time.Second

// asksRuntime reports whether the command queries the state of the runtime, which a healthy runtime returns immediately. Commands
// that run, follow or pull something may take any time.
func asksRuntime(c *command) bool {
	if !slices.Contains([]string{"crictl", "ctr", "docker", "nerdctl"}, c.tool()) {
		return false
	}
	rest := skipFlags(c.words[1:], "-n", "--namespace", "-r", "--runtime-endpoint", "-a", "--address", "-H", "--host")
	return len(rest) > 0 && slices.Contains([]string{"ps", "pods", "info", "version", "images", "ls"}, rest[0]) ||
		len(rest) > 1 && slices.Contains([]string{"ls", "list"}, rest[1])
}

// asked returns the target of another query that a healthy target answers immediately: a file system for its size, the service
// manager for its state.
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

// startTimedOut reads the end of a query under timeout: the target accepts the query and never responds.
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
	if r.Answer == "refused" { // crictl also waits for its deadline, and reports it, if no process listens on the socket
		return done
	}
	r.Answer, r.Latency, r.Message, r.Ref = "hung", c.limit, c.raw, quote(l)
	return done
}
