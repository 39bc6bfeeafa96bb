package paste

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// lookup collects the output of nslookup or dig.
type lookup struct {
	p      *page
	found  nodereport.Lookup
	at     line
	dig    bool
	answer bool // inside dig's answer section
}

var (
	nslookupFail = lazyregexp.New(`^\*{2,3} (?:server can't find|Can't find) ([^:\s]+): ?(.*)$`)
	busyboxFail  = lazyregexp.New(`^nslookup: can't resolve '([^']+)'(?:: (.*))?$`)
	digStatus    = lazyregexp.New(`status: ([A-Z]+)`)
	digHead      = lazyregexp.New(`^; <<>> DiG \S+ <<>> (.*)$`)
	hostFound    = lazyregexp.New(`^(\S+) has (?:IPv6 )?address (\S+)$`)
	hostFail     = lazyregexp.New(`^Host (\S+) not found: \d+\(([A-Z]+)\)$`)
	noServers    = lazyregexp.New(`^;; (?:connection timed out; no servers could be reached|communications error to \S+: (.*))`)
)

// dnsAnswer maps a response code or an error to a value of Lookup.Answer.
func dnsAnswer(s string) string {
	s = strings.ToLower(s)
	switch {
	case strings.Contains(s, "nxdomain"), strings.Contains(s, "name or service not known"), strings.Contains(s, "name does not resolve"), strings.Contains(s, "non-existent"):
		return "no such host"
	case strings.Contains(s, "timed out"), strings.Contains(s, "timeout"), strings.Contains(s, "temporary failure"), strings.Contains(s, "try again"):
		return "timeout"
	case strings.Contains(s, "refused"):
		return "refused"
	case s == "noerror":
		return "ok"
	}
	return "error"
}

// startLookup starts at the first lines of nslookup and dig, and at their one-line errors.
func startLookup(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	if m := hostFound.FindStringSubmatch(text); m != nil && isAddress(m[2]) {
		p.addLookup(nodereport.Lookup{Name: m[1], Answer: "ok", Addresses: []string{m[2]}}, l)
		return done
	}
	if m := hostFail.FindStringSubmatch(text); m != nil {
		p.addLookup(nodereport.Lookup{Name: m[1], Answer: dnsAnswer(m[2])}, l)
		return done
	}
	u := &lookup{p: p, at: l, found: nodereport.Lookup{Name: lookupName(p.command())}}
	if !u.take(l) {
		return nil
	}
	return u
}

// lookupName returns the name that the command looks up.
func lookupName(c *command) string {
	switch c.tool() {
	case "nslookup", "dig", "host", "getent":
	default:
		return ""
	}
	for _, w := range c.words[1:] {
		switch {
		case w != "" && strings.IndexByte("-+@", w[0]) >= 0: // flags, options of dig, servers
		case w == "hosts", w == "ahosts": // databases of getent
		default:
			return w
		}
	}
	return ""
}

func (u *lookup) take(l line) bool {
	text := strings.TrimSpace(l.text)
	f := &u.found
	if m := nslookupFail.FindStringSubmatch(text); m != nil {
		f.Name, f.Answer = m[1], dnsAnswer(m[2])
		return true
	}
	if m := busyboxFail.FindStringSubmatch(text); m != nil {
		f.Name, f.Answer = m[1], dnsAnswer(m[2])
		return true
	}
	if m := noServers.FindStringSubmatch(text); m != nil {
		if f.Answer = "timeout"; m[1] != "" {
			f.Answer = dnsAnswer(m[1])
		}
		return true
	}
	if m := digHead.FindStringSubmatch(text); m != nil {
		f.Name, u.dig = lookupName(parseCommand("dig "+m[1])), true
		return true
	}
	if strings.HasPrefix(text, ";; ANSWER SECTION:") {
		u.answer = true
		return true
	}
	if server, ok := strings.CutPrefix(text, ";; SERVER: "); ok {
		f.Server = server
		return true
	}
	if strings.HasPrefix(text, ";") {
		u.answer = false
		if m := digStatus.FindStringSubmatch(text); m != nil {
			f.Answer = dnsAnswer(m[1])
		}
		return true
	}
	if text == "" && u.dig {
		return true
	}
	if u.answer {
		if w := strings.Fields(text); len(w) == 5 && (w[3] == "A" || w[3] == "AAAA") && isAddress(w[4]) {
			u.address(w[4])
		}
		return true
	}
	key, value, ok := splitKey(text)
	if !ok {
		return f.Server != "" && (text == "" || strings.Contains(text, "canonical name ="))
	}
	value, _, _ = strings.Cut(value, " ") // busybox adds the name after the address
	switch {
	case key == "Server" && isAddress(value):
		f.Server = value
	case key == "Non-authoritative answer" && f.Server != "":
	case key == "Name" && f.Server != "" && value != "":
		if f.Name == "" {
			f.Name = value
		}
	case strings.HasPrefix(key, "Address") && f.Server != "":
		if isAddress(value) && value != f.Server {
			u.address(value)
		}
	default:
		return false
	}
	return true
}

func (u *lookup) address(a string) {
	u.found.Answer = "ok"
	u.found.Addresses = append(u.found.Addresses[:min(len(u.found.Addresses), 50)], a)
}

func (u *lookup) close(ending) {
	if u.found.Answer != "" {
		u.p.addLookup(u.found, u.at)
	}
}

func (p *page) addLookup(found nodereport.Lookup, l line) {
	if p.text.room("lookups", l) {
		found.Ref = quote(l)
		r := p.node()
		r.Lookups = append(r.Lookups, found)
	}
}
