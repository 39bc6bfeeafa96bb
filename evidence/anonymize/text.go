package anonymize

import (
	"bufio"
	"io"
	"strings"
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
		end := wordEnd(s, p)
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
	_, name := n.to[strings.ToLower(s[p:wordEnd(s, p)])]
	return !name
}

// mailAt returns the end of an email address, which has its own alias.
func (n *Names) mailAt(s string, lo, at int) int {
	if at >= len(s) || s[at] != '@' {
		return 0
	}
	end := wordEnd(s, at+1)
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

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool {
	lower := c | 0x20
	return 'a' <= lower && lower <= 'z'
}

func hexDigit(c byte) bool {
	lower := c | 0x20
	return digit(c) || 'a' <= lower && lower <= 'f'
}

func joint(c byte) bool { return c == '-' || c == '.' || c == '_' }

// wordByte reports whether a character may be part of a name.
func wordByte(c byte) bool { return letter(c) || digit(c) || joint(c) }

// wordEnd returns the end of the name characters from p on.
func wordEnd(s string, p int) int {
	for p < len(s) && wordByte(s[p]) {
		p++
	}
	return p
}

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
		if to, alias := n.longestAt(s, lo, word, from); to > 0 {
			put(lo+from, lo+to, alias)
			from = to
			continue
		}
		for from < len(word) && !joint(word[from]) {
			from++
		}
	}
}

// longestAt returns the end and the alias of the longest name that starts at word[from]; 0 if there is none. The word
// starts at s[lo].
func (n *Names) longestAt(s string, lo int, word string, from int) (end int, alias string) {
	for to := len(word); to > from; to-- {
		if to < len(word) && !joint(word[to]) || joint(word[to-1]) {
			continue
		}
		if hi, address := n.dashedAt(word, from, to); hi > 0 {
			return hi, address
		}
		name := word[from:to]
		alias, ok := n.to[name]
		if !ok || n.loose[name] && !n.expected(s, lo+from, lo+to) {
			continue
		}
		if isPart(word, from, to) && !distinctive(name) {
			continue
		}
		return to, alias
	}
	return 0, ""
}

// isPart reports whether word[from:to] is part of a longer name: kube in kube-system.
func isPart(word string, from, to int) bool {
	if to < len(word) && word[to] == '-' {
		return true
	}
	return from > 0 && word[from-1] != '.' && word[from-1] != '_'
}

// distinctive reports whether a name is unusual enough to replace it inside a longer name.
func distinctive(name string) bool {
	return strings.ContainsAny(name, "0123456789") && len(name) > 4 || len(name) > 7
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
