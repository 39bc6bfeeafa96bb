package paste

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

// attempts match the lines with which tools report the result of a connection. Named groups: host, port, why.
var attempts = []struct {
	tool string
	re   *lazyregexp.Regexp
	ok   bool
}{
	{"curl", lazyregexp.New(`^curl: \(\d+\) Failed to connect to (?P<host>\S+) port (?P<port>\d+)(?: after \d+ ms)?: ?(?P<why>.*)$`), false},
	{"curl", lazyregexp.New(`^curl: \(\d+\) Could not resolve host: (?P<host>[^\s;]+)(?P<why>)`), false},
	{"curl", lazyregexp.New(`^curl: \(\d+\) (?P<why>.+)$`), false},
	{"nc", lazyregexp.New(`^nc: connect to (?P<host>\S+)(?: \([^)]*\))? port (?P<port>\d+) \(tcp\) (?:failed|timed out): ?(?P<why>.*)$`), false},
	{"nc", lazyregexp.New(`^Connection to (?P<host>\S+)(?: \([^)]*\))? (?P<port>\d+) port \[tcp/[^\]]*\] succeeded!`), true},
	{"nc", lazyregexp.New(`^Ncat: Connected to (?P<host>\S+):(?P<port>\d+)\.`), true},
	{"nc", lazyregexp.New(`^Ncat: (?P<why>.+)$`), false},
	{"nc", lazyregexp.New(`^\(UNKNOWN\) \[(?P<host>[^\]]+)\] (?P<port>\d+) \([^)]*\) : (?P<why>.+)$`), false},
	{"telnet", lazyregexp.New(`^telnet: (?:Unable to connect to remote host|connect to address (?P<host>\S+)): (?P<why>.+)$`), false},
	{"wget", lazyregexp.New(`^wget: can't connect to remote host \((?P<host>[^)]+)\): (?P<why>.+)$`), false},
	{"wget", lazyregexp.New(`^wget: (?:unable to resolve host address|bad address) ['‘"](?P<host>[^'’"]+)['’"](?P<why>)`), false},
	{"ping", lazyregexp.New(`^ping: (?:unknown host (?P<host>\S+)|(?P<name>\S+): (?P<why>Name or service not known|Temporary failure in name resolution|No address associated with hostname))`), false},
}

// startConnection reads one such line. The command gives the target if the line does not.
func startConnection(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	for _, a := range attempts {
		m := a.re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		group := func(name string) string {
			if i := a.re.SubexpIndex(name); i > 0 {
				return m[i]
			}
			return ""
		}
		c := nodereport.Connection{Tool: a.tool, Target: group("host") + group("name"), Message: wording.Cut(text, 300), Answer: "ok"}
		if port := group("port"); port != "" {
			c.Target += ":" + port
		}
		if given := target(p.command()); given != "" && (c.Target == "" || strings.Contains(given, c.Target)) {
			c.Target = given
		}
		if !a.ok {
			c.Answer = connectAnswer(text)
		}
		p.addConnection(c, l)
		return done
	}
	return nil
}

// connectAnswer maps a failure to a value of Connection.Answer.
func connectAnswer(why string) string {
	why = strings.ToLower(why)
	for _, a := range [][2]string{
		{"refused", "refused"}, {"timed out", "timeout"}, {"timeout", "timeout"}, {"no route to host", "unreachable"},
		{"unreachable", "unreachable"}, {"reset by peer", "reset"}, {"could not resolve", "dns"}, {"unable to resolve", "dns"},
		{"name or service not known", "dns"}, {"temporary failure in name", "dns"}, {"no address associated", "dns"},
		{"unknown host", "dns"}, {"bad address", "dns"}, {"ssl", "tls"}, {"certificate", "tls"}, {"tls", "tls"},
	} {
		if strings.Contains(why, a[0]) {
			return a[1]
		}
	}
	return "error"
}

// valueFlags are the flags with a value in the next word.
var valueFlags = map[string]string{
	"curl": "-H -X -o -m -w -d -u --connect-timeout --max-time --cacert --cert --key --resolve", "wget": "-O -T -t",
	"nc": "-w -s -p", "ncat": "-w", "telnet": "-l", "ping": "-c -W -i -I -s -w",
}

// target returns the target of a command, as typed.
func target(c *command) string {
	tool := c.tool()
	flags := strings.Fields(valueFlags[tool])
	if len(flags) == 0 {
		return ""
	}
	var plain []string
	for i := 1; i < len(c.words); i++ {
		w := c.words[i]
		switch {
		case slices.Contains(flags, w):
			i++
		case !strings.HasPrefix(w, "-"):
			plain = append(plain, w)
		}
	}
	switch {
	case len(plain) == 2 && (tool == "nc" || tool == "ncat" || tool == "telnet"):
		return plain[0] + ":" + plain[1]
	case len(plain) == 1:
		return plain[0]
	}
	return ""
}

func (p *page) addConnection(c nodereport.Connection, l line) {
	if p.text.room("connections", l) {
		c.Ref = quote(l)
		r := p.node()
		r.Connections = append(r.Connections, c)
	}
}

var (
	pingHead = lazyregexp.New(`^PING (\S+) \(`)
	pingLoss = lazyregexp.New(`^\d+ packets transmitted, \d+ (?:packets )?received,.* (\d+)(?:\.\d+)?% packet loss`)
)

// startPing reads ping from its first line to the statistics.
func startPing(p *page, l line) reader {
	m := pingHead.FindStringSubmatch(strings.TrimSpace(l.text))
	if m == nil {
		return nil
	}
	c := nodereport.Connection{Tool: "ping", Target: m[1]}
	over := false
	return each(func(l line) bool {
		text := strings.TrimSpace(l.text)
		switch {
		case over:
			return false
		case strings.Contains(text, "Unreachable"), strings.Contains(text, "unreachable"):
			c.Answer = "unreachable"
			return true
		}
		if m := pingLoss.FindStringSubmatch(text); m != nil {
			loss, _ := strconv.Atoi(m[1])
			c.Loss, c.Message = &loss, text
			if c.Answer == "" || loss < 100 {
				c.Answer = map[bool]string{true: "ok", false: "timeout"}[loss < 100]
			}
			p.addConnection(c, l)
			over = true
			return true
		}
		return isPingLine(text)
	})
}

// isPingLine reports whether a line may be between the first line of ping and its statistics.
func isPingLine(text string) bool {
	switch {
	case text == "", text == "^C":
		return true
	case strings.Contains(text, "bytes from"), strings.HasPrefix(text, "From "), strings.HasPrefix(text, "--- "):
		return true
	}
	return false
}

var httpStatus = lazyregexp.New(`^(?:< )?HTTP/[\d.]+ (\d{3})\b`)

// httpDate is the required format of times from servers (RFC 9110, section 5.6.7).
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"

var httpHeader = lazyregexp.New(`^(?:< )?([A-Za-z][A-Za-z0-9-]*): (.*)$`)

// outputCurl reads the status and Date of a response, or the "ok" of a health endpoint.
func outputCurl(p *page, c *command) reader {
	to := target(c)
	if to == "" || c.filtered() {
		return nil
	}
	read := false
	return each(func(l line) bool {
		text := strings.TrimSpace(l.text)
		if read {
			h := httpHeader.FindStringSubmatch(text)
			if h != nil && strings.EqualFold(h[1], "date") && !local(to) {
				if t, err := time.Parse(httpDate, h[2]); err == nil {
					p.setServed(t, l)
				}
			}
			return h != nil
		}
		m := httpStatus.FindStringSubmatch(text)
		if m == nil && text != "ok" {
			return strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "> ")
		}
		read = true
		con := nodereport.Connection{Tool: c.tool(), Target: to, Answer: "ok", Message: wording.Cut(text, 300)}
		if m != nil {
			con.Status, _ = strconv.Atoi(m[1])
		}
		p.addConnection(con, l)
		return true
	})
}

// local reports whether the target is the machine itself.
func local(target string) bool {
	_, host, ok := strings.Cut(target, "://")
	if !ok {
		host = target
	}
	host = strings.Trim(strings.ToLower(host), "[")
	return strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.") || strings.HasPrefix(host, "::1")
}
