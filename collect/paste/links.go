package paste

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

var (
	linkHead  = lazyregexp.New(`^\d{1,6}: ([^\s:@]{1,64})(?:@[^\s:]+)?: <([A-Z0-9_,-]*)>(.*)$`)
	linkState = lazyregexp.New(`\bstate ([A-Z]+)`)
)

// startLink reads ip addr and ip link: a numbered first line, then indented lines with the addresses.
func startLink(p *page, l line) reader {
	m := linkHead.FindStringSubmatch(strings.TrimSpace(l.text))
	if m == nil {
		return nil
	}
	base := indent(l.text)
	add := func(m []string, l line) int {
		r := p.node()
		link := nodereport.Link{Name: m[1], Ref: quote(l)}
		if m[2] != "" {
			link.Flags = strings.Split(m[2], ",")
		}
		if s := linkState.FindStringSubmatch(m[3]); s != nil {
			link.State = s[1]
		}
		for i := range r.Links { // ip link and ip addr in one paste
			if r.Links[i].Name == link.Name {
				link.Addresses = r.Links[i].Addresses
				r.Links[i] = link
				return i
			}
		}
		if !p.text.room("links", l) {
			return -1
		}
		r.Links = append(r.Links, link)
		return len(r.Links) - 1
	}
	at := add(m, l)
	return each(func(l line) bool {
		text := strings.TrimSpace(l.text)
		if m := linkHead.FindStringSubmatch(text); m != nil {
			at = add(m, l)
			return true
		}
		if indent(l.text) <= base {
			return false
		}
		f := strings.Fields(text)
		if at >= 0 && len(f) > 1 && (f[0] == "inet" || f[0] == "inet6") {
			link := &p.node().Links[at]
			if !slices.Contains(link.Addresses, f[1]) && len(link.Addresses) < 256 {
				link.Addresses = append(link.Addresses, f[1])
			}
		}
		return true
	})
}

// outputIP reads the brief format: "eth0  UP  10.0.0.4/24 fe80::1/64".
func outputIP(p *page, c *command) reader {
	if !slices.ContainsFunc(c.words, func(w string) bool { return w == "-br" || w == "-brief" }) {
		return nil
	}
	return each(func(l line) bool {
		f := strings.Fields(l.text)
		if len(f) < 2 || f[1] != strings.ToUpper(f[1]) || !isName(f[0]) {
			return false
		}
		if !p.text.room("links", l) {
			return true
		}
		name, _, _ := strings.Cut(f[0], "@")
		link := nodereport.Link{Name: name, State: f[1], Ref: quote(l)}
		for _, a := range f[2:] {
			if strings.ContainsAny(a, ".:") && strings.Contains(a, "/") {
				link.Addresses = append(link.Addresses, a)
			}
		}
		r := p.node()
		r.Links = append(r.Links, link)
		return true
	})
}
