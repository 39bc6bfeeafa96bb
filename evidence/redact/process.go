package redact

import (
	"encoding/hex"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// part is an argument or an environment variable of a process.
type part struct {
	lo, hi int // its position in the line
	text   string
	coded  bool // hexadecimal in the line
}

// processClues are audit lines about executed commands. Values with spaces and quotes are hexadecimal there.
func processClues() []clue {
	return []clue{
		{text: "argc=", find: func(l *Lines, s string, at, _ int, out []span) []span { return l.process(auditArgs(s, at), out) }},
		{text: "proctitle=", find: findHex},
		{text: "proctitle%3d", find: findHex},
		{text: "+cmd%3d", find: findHex},
		{text: " cmd=", find: findHex},
		{text: " data=", find: findHex},
	}
}

var auditArg = lazyregexp.New(`\ba\d{1,4}(?:\[\d+\])?=(?:\\*"([^"\\]*)\\*"|([0-9A-Fa-f]{2,}))`)

func auditArgs(s string, at int) []part {
	var out []part
	for _, m := range auditArg.FindAllStringSubmatchIndex(s[at:], 4*maxArguments) {
		if m[2] >= 0 {
			out = append(out, part{lo: at + m[2], hi: at + m[3], text: s[at+m[2] : at+m[3]]})
		} else if plain, err := hex.DecodeString(s[at+m[4] : at+m[5]]); err == nil {
			out = append(out, part{lo: at + m[4], hi: at + m[5], text: string(plain), coded: true})
		}
	}
	return out
}

// findHex redacts the digits after the operator if they are a command line or terminal input with a secret.
func findHex(l *Lines, s string, _, end int, out []span) []span {
	hi := end
	for hi < len(s) && strings.IndexByte("0123456789abcdefABCDEF", s[hi]) >= 0 {
		hi++
	}
	plain, err := hex.DecodeString(s[end:hi])
	if err != nil || len(plain) < 4 {
		return out
	}
	text := string(plain)
	if l.secretInside(text) || strings.IndexByte(text, 0) >= 0 && len(l.process(split(text, "\x00"), nil)) > 0 {
		return append(out, span{end, hi, "encoded"})
	}
	return out
}

// process redacts the secrets in the arguments of a process. It checks them as one line twice: spaces within an
// argument separate the first time and not the second time.
func (l *Lines) process(parts []part, out []span) []span {
	for _, blank := range []string{" ", "_"} {
		var line strings.Builder
		starts := make([]int, len(parts))
		for i, p := range parts {
			starts[i] = line.Len()
			line.WriteString(strings.ReplaceAll(p.text, " ", blank) + " ")
		}
		inner := Lines{redactor: l.redactor, decoding: l.decoding + 1}
		for _, found := range inner.scan(line.String()) {
			for i, p := range parts {
				lo, hi := max(found.lo-starts[i], 0), min(found.hi-starts[i], len(p.text))
				switch {
				case lo >= hi:
				case p.coded:
					out = append(out, span{p.lo, p.hi, "encoded"})
				default:
					out = append(out, span{p.lo + lo, p.lo + hi, found.kind})
				}
			}
		}
	}
	return out
}

// zeros are representations of zero bytes between process arguments in texts.
var zeros = []string{"\x00", "^@", `\u0000`, `\x00`, `\000`}

// zeroIn returns the representation of zero bytes in the line; empty: none.
func zeroIn(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		return zeros[0]
	}
	if strings.IndexByte(s, '\\') < 0 && strings.IndexByte(s, '^') < 0 {
		return ""
	}
	for _, z := range zeros[1:] {
		if strings.Contains(s, z) {
			return z
		}
	}
	return ""
}

// split splits a text at the separator.
func split(s, sep string) []part {
	var out []part
	for from := 0; from <= len(s) && len(out) < 4*maxArguments; {
		end := len(s)
		if i := strings.Index(s[from:], sep); i >= 0 {
			end = from + i
		}
		out = append(out, part{lo: from, hi: end, text: strings.TrimRight(s[from:end], `\`)})
		from = end + len(sep)
	}
	return out
}
