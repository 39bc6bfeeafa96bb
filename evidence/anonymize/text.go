package anonymize

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Text returns the text with aliases for names and addresses.
func (n *Names) Text(s string) string {
	var out []byte
	copied := 0
	put := func(lo, hi int, to string) {
		if to != s[lo:hi] {
			out = append(append(out, s[copied:lo]...), to...)
			copied = hi
		}
	}
	for p := 0; p < len(s); {
		if !wordByte(s[p]) && s[p] != ':' {
			p++
			continue
		}
		if hi, to := n.macAt(s, p); hi > p {
			put(p, hi, to)
			p = hi
			continue
		}
		if hi, to := n.addressAt(s, p); hi > p {
			put(p, hi, to)
			p = hi
			continue
		}
		if s[p] == ':' || p > 0 && s[p-1] == '\\' && n.escaped(s, p) {
			p++
			continue
		}
		end := p
		for end < len(s) && wordByte(s[end]) {
			end++
		}
		if mail := n.mailAt(s, p, end); mail > 0 {
			put(p, mail, n.to[strings.ToLower(s[p:mail])])
			p = mail
			continue
		}
		n.run(s, p, end, put)
		p = end
	}
	if out == nil {
		return s
	}
	return string(append(out, s[copied:]...))
}

// escaped reports whether the letter after a backslash is part of an escape, as in "
// worker-1".
func (n *Names) escaped(s string, p int) bool {
	if strings.IndexByte("nrt", s[p]) < 0 {
		return false
	}
	end := p
	for end < len(s) && wordByte(s[end]) {
		end++
	}
	_, name := n.to[strings.ToLower(s[p:end])]
	return !name
}

// mailAt returns the end of an email address, which has its own alias.
func (n *Names) mailAt(s string, lo, at int) int {
	if at >= len(s) || s[at] != '@' {
		return 0
	}
	end := at + 1
	for end < len(s) && wordByte(s[end]) {
		end++
	}
	for end > at && s[end-1] == '.' {
		end--
	}
	if n.to[strings.ToLower(s[lo:end])] == "" {
		if !isMail(s[lo:at], s[at+1:end]) {
			return 0
		}
		n.person(s[lo:end])
	}
	return end
}

// isMail distinguishes the email address of a person from systemd unit instances, prompts and service users.
func isMail(local, domain string) bool {
	dot := strings.LastIndexByte(domain, '.')
	if dot <= 0 || local == "git" || domain == "example.com" {
		return false
	}
	top := domain[dot+1:]
	switch top {
	case "service", "socket", "slice", "mount", "timer", "target", "scope", "path", "device", "local", "internal", "svc":
		return false
	}
	return len(top) >= 2 && strings.Trim(strings.ToLower(top), "abcdefghijklmnopqrstuvwxyz") == ""
}

const macLength = len("00:11:22:33:44:55")

// macAt finds a MAC address at p.
func (n *Names) macAt(s string, p int) (hi int, to string) {
	if p+macLength > len(s) || p > 0 && (wordByte(s[p-1]) || s[p-1] == ':') {
		return 0, ""
	}
	text := s[p : p+macLength]
	for i := range macLength {
		if i%3 == 2 && (text[i] != ':' && text[i] != '-' || text[i] != text[2]) || i%3 != 2 && !hexDigit(text[i]) {
			return 0, ""
		}
	}
	if hi = p + macLength; hi < len(s) && (wordByte(s[hi]) && s[hi] != '.' || s[hi] == ':' && hi+1 < len(s) && hexDigit(s[hi+1])) {
		return 0, ""
	}
	pairs := strings.ToLower(strings.ReplaceAll(text, "-", ":"))
	if pairs == "00:00:00:00:00:00" || pairs == "ff:ff:ff:ff:ff:ff" || strings.HasPrefix(pairs, "02:00:00:00:") {
		return hi, text
	}
	stand := n.set(pairs, "mac", func(i int) string { return fmt.Sprintf("02:00:00:00:%02x:%02x", i>>8&255, i&255) })
	return hi, strings.ReplaceAll(stand, ":", text[2:3])
}

func hexDigit(c byte) bool {
	return digit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// wordByte reports whether a character may be part of a name.
func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
}

func joint(c byte) bool { return c == '-' || c == '.' || c == '_' }

const longestName = 260 // bytes

// run replaces the names in a sequence of name characters: the longest first, at separators.
func (n *Names) run(s string, lo, end int, put func(lo, hi int, to string)) {
	if end-lo > 4*longestName {
		return
	}
	word := strings.ToLower(s[lo:end])
	for from := 0; from < len(word); {
		if joint(word[from]) {
			from++
			continue
		}
		taken := 0
		for to := len(word); to > from; to-- {
			if to < len(word) && !joint(word[to]) || joint(word[to-1]) {
				continue
			}
			if hi, text := n.dashedAt(word, from, to); hi > 0 {
				put(lo+from, lo+hi, text)
				taken = hi
				break
			}
			stand, ok := n.to[word[from:to]]
			if !ok || n.loose[word[from:to]] && !n.expected(s, lo+from, lo+to) {
				continue
			}
			if (from > 0 && word[from-1] != '.' && word[from-1] != '_' || to < len(word) && word[to] == '-') && !telling(word[from:to]) {
				continue // part of a longer word: kube-system
			}
			put(lo+from, lo+to, stand)
			taken = to
			break
		}
		if taken > 0 {
			from = taken
			continue
		}
		for from < len(word) && !joint(word[from]) {
			from++
		}
	}
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// telling reports whether a name is distinctive enough to replace it inside a longer word.
func telling(name string) bool {
	return strings.ContainsAny(name, "0123456789") && len(name) > 4 || len(name) > 7
}

// expected reports whether a name is expected at the position: next to the slash of namespace/name, in quotes, or after
// an introducing word or character.
func (n *Names) expected(s string, lo, hi int) bool {
	if lo > 0 && hi < len(s) && s[lo-1] == s[hi] && (s[hi] == '"' || s[hi] == '\'') {
		return true
	}
	if hi < len(s) && s[hi] == '/' && n.spaces[s[lo:hi]] { // namespace/name
		end := hi + 1
		for end < len(s) && wordByte(s[end]) {
			end++
		}
		_, known := n.to[strings.ToLower(s[hi+1:end])]
		return known && (lo == 0 || s[lo-1] != '/')
	}
	if lo > 0 && s[lo-1] == '/' {
		from := lo - 1
		for from > 0 && wordByte(s[from-1]) {
			from--
		}
		switch before := s[from : lo-1]; before {
		case "pod", "pods", "node", "nodes", "namespaces", "namespace", "ns":
			return true
		default:
			return n.spaces[before]
		}
	}
	if behindTime(s, lo, hi) || podRow.MatchString(s[hi:]) {
		return true
	}
	if lo > 0 && s[lo-1] == '@' || hi < len(s) && s[hi] == '@' { // root@node
		return true
	}
	for _, before := range []string{"node ", "pod ", "namespace ", "ns ", "node: ", "namespace: ", "namespace=", "node=", "Node ", "Namespace: "} {
		if strings.HasSuffix(s[:lo], before) {
			return true
		}
	}
	return false
}

// podRow matches the ready containers after a pod name in a table.
var podRow = lazyregexp.New(`^ +\d{1,3}/\d{1,3} `)

// behindTime reports whether the position is the host field of a journal line.
func behindTime(s string, lo, hi int) bool {
	return lo > 3 && hi < len(s) && s[hi] == ' ' && s[lo-1] == ' ' && digit(s[lo-2]) && digit(s[lo-3]) &&
		strings.IndexByte(":0123456789", s[lo-4]) >= 0 && strings.Contains(s[:lo], ":")
}

// Reader reads a text with aliases, line by line.
func (n *Names) Reader(from io.Reader) io.Reader {
	return &reader{names: n, from: bufio.NewReaderSize(from, 64<<10)}
}

type reader struct {
	names *Names
	from  *bufio.Reader
	out   string
	err   error
}

func (r *reader) Read(p []byte) (int, error) {
	for r.out == "" {
		if r.err != nil {
			return 0, r.err
		}
		var line string
		line, r.err = r.from.ReadString('\n')
		r.names.Learn(line)
		r.out = r.names.Text(line)
	}
	k := copy(p, r.out)
	r.out = r.out[k:]
	return k, nil
}
