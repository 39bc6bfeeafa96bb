package paste

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// socketTable reads the listening sockets in ss -l and netstat -l.
type socketTable struct {
	p     *page
	cmd   *command
	head  bool
	dots  bool
	found []nodereport.Socket
	at    line
}

var ssUser = lazyregexp.New(`users:\(\("([^"]{1,60})"`)

// startSockets starts at either header.
func startSockets(p *page, l line) reader {
	if !isSocketHeader(strings.Fields(l.text)) {
		return nil
	}
	return &socketTable{p: p, cmd: p.command(), head: true, at: l}
}

func isSocketHeader(f []string) bool {
	return slices.Contains(f, "Recv-Q") && slices.Contains(f, "Send-Q") && slices.Contains(f, "Local")
}

func outputSS(p *page, c *command) reader {
	if !strings.Contains(strings.Join(c.words[1:], " "), "l") {
		return nil
	}
	return &socketTable{p: p, cmd: c, at: line{no: p.no, text: c.raw}}
}

func (t *socketTable) take(l line) bool {
	text := strings.TrimSpace(l.text)
	f := strings.Fields(text)
	switch {
	case text == "":
		return len(t.found) == 0
	case isDots(text):
		t.dots = true
		return true
	case isSocketHeader(f):
		t.head = true
		return true
	case strings.HasPrefix(text, "Active Internet connections"), strings.HasPrefix(text, "(Not all processes"), strings.HasPrefix(text, "will not be shown"):
		return true
	}
	s, listens, ok := socketRow(f)
	if !ok {
		return false
	}
	if listens && t.p.text.room("sockets", l) {
		s.Ref = quote(l)
		if len(t.found) == 0 {
			t.at = l
		}
		t.found = append(t.found, s)
	}
	return true
}

// socketRow parses "LISTEN 0 128 *:10250 *:* users:((...))" of ss, possibly after "tcp", and "tcp 0 0 0.0.0.0:22 0.0.0.0:* LISTEN
// 1/sshd" of netstat.
func socketRow(f []string) (s nodereport.Socket, listens, ok bool) {
	if len(f) > 1 && (strings.HasPrefix(f[0], "tcp") || strings.HasPrefix(f[0], "udp")) {
		if _, err := strconv.Atoi(f[1]); err == nil { // netstat
			if len(f) < 5 {
				return s, false, false
			}
			s, ok = parseSocket(f[3])
			if len(f) > 6 {
				_, s.Process, _ = strings.Cut(f[6], "/")
			}
			return s, ok && len(f) > 5 && f[5] == "LISTEN", ok
		}
		f = f[1:]
	}
	if len(f) < 5 || f[0] != strings.ToUpper(f[0]) || strings.Trim(f[1]+f[2], "0123456789") != "" {
		return s, false, false
	}
	s, ok = parseSocket(f[3])
	if m := ssUser.FindStringSubmatch(strings.Join(f[4:], " ")); m != nil {
		s.Process = m[1]
	}
	return s, ok && f[0] == "LISTEN", ok
}

func parseSocket(s string) (nodereport.Socket, bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return nodereport.Socket{}, false
	}
	port, err := strconv.Atoi(s[i+1:])
	if err != nil && s[i+1:] != "*" || port < 0 || port > 65535 {
		return nodereport.Socket{}, err != nil // a service name
	}
	return nodereport.Socket{Address: s[:i], Port: port}, true
}

// close records the sockets, and the ports that were searched for but not found.
func (t *socketTable) close(how ending) {
	ended := how != otherText || len(t.found) > 0
	var asked []int
	if ended && t.isWhole() {
		asked = t.missingPorts()
	}
	if len(t.found) == 0 && len(asked) == 0 {
		return
	}
	r := t.p.node()
	if r.Listeners == nil {
		if !t.p.text.room("sockets", t.at) {
			return
		}
		r.Listeners = &nodereport.Listeners{Ref: quote(t.at)}
	}
	r.Listeners.Sockets = append(r.Listeners.Sockets, t.found...)
	r.Listeners.Asked = append(r.Listeners.Asked, asked...)
	if t.head && t.isWhole() && !t.cmd.filtered() {
		r.Listeners.Complete = true
	}
}

// isWhole reports whether the lines are all that the command printed.
func (t *socketTable) isWhole() bool {
	tool := t.cmd.tool()
	return t.cmd.sure && !t.dots && (tool == "ss" || tool == "netstat")
}

// missingPorts returns the ports that were searched for but not found.
func (t *socketTable) missingPorts() (ports []int) {
	for _, w := range t.cmd.searched() {
		port, err := strconv.Atoi(strings.TrimPrefix(w, ":"))
		if err == nil && !slices.ContainsFunc(t.found, func(s nodereport.Socket) bool { return s.Port == port }) {
			ports = append(ports, port)
		}
	}
	return ports
}
